// Starts the dashboard.

import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';
import { loadSuggestions } from './ui/combobox.tsx';

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<App />);

const afterPaintMs = 300;
setTimeout(loadSuggestions, afterPaintMs);
