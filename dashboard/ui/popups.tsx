// Everything that opens above the page, loaded as one: it is all made of the same parts.

export { DialogPopup } from './dialog-popup.tsx';
export { MenuPopup } from './menu-popup.tsx';
export { TipPopup } from './tip-popup.tsx';
export { ToastCorner } from './toast-list.tsx';
