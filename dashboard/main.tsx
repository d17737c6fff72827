// Starts the dashboard.

import './first.ts';
import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<App />);
