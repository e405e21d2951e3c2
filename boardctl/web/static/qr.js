// A QR code as a picture.

import { svg } from './dom.js';

// Rows of 0 and 1 as a picture.
export function qrCode(rows, address) {
  const size = rows.length;
  const path = rows
    .flatMap((row, y) => [...row].map((bit, x) => (bit === '1' ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return svg('svg', { viewBox: `0 0 ${size} ${size}`, class: 'qr', role: 'img', 'aria-label': address },
    svg('rect', { width: size, height: size, class: 'paper' }),
    svg('path', { d: path }));
}

