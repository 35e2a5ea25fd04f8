/** One path of an emblem. If `fill` is none, a line of `strokeWidth` with round ends; otherwise a filled shape. */
export interface EmblemPath {
  d: string
  fill?: 'none' | 'currentColor'
  strokeWidth?: number
}

/**
 * Emblems of vendors on a 48×48 square, drawn in the current colour (white) on the vendor's tint. The corner radius is
 * 14.
 */
export const emblems: Readonly<Record<string, { paths: readonly EmblemPath[] }>> = {
  // Open pearl oyster
  shell: {
    paths: [
      { d: 'M17.1 29.9L7.1 27.9A5.1 5.1 0 0 1 10.8 20.7L18.2 27.7A7.2 7.2 0 0 0 17.1 29.9Z' },
      { d: 'M19.3 26.6L10.6 18.6A5.5 5.5 0 0 1 18.1 13.9L21.3 25.3A7.2 7.2 0 0 0 19.3 26.6Z' },
      { d: 'M22.8 24.9L19.4 12.7A5.8 5.8 0 0 1 28.6 12.7L25.2 24.9A7.2 7.2 0 0 0 22.8 24.9Z' },
      { d: 'M26.7 25.3L29.9 13.9A5.5 5.5 0 0 1 37.4 18.6L28.7 26.6A7.2 7.2 0 0 0 26.7 25.3Z' },
      { d: 'M29.8 27.7L37.2 20.7A5.1 5.1 0 0 1 40.9 27.9L30.9 29.9A7.2 7.2 0 0 0 29.8 27.7Z' },
      { d: 'M24 30.2a4.1 4.1 0 1 1 0 8.2 4.1 4.1 0 0 1 0-8.2Z' },
    ],
  },
  // Rain cloud
  cloud: {
    paths: [
      { d: 'M15.4 30.2a6.9 6.9 0 0 1-.5-13.8 9.9 9.9 0 0 1 18.9-1.7 7.8 7.8 0 0 1-.7 15.5Z' },
      { d: 'M17.6 34.6v2.6M24 34.6v4.4M30.4 34.6v2.6', fill: 'none', strokeWidth: 2.8 },
    ],
  },
  // Drop with waves inside
  drop: {
    paths: [
      {
        d: 'M24 8.8c5.2 7.5 10.5 12.5 10.5 18.9a10.5 10.5 0 0 1-21 0C13.5 21.3 18.8 16.3 24 8.8Z',
        fill: 'none',
        strokeWidth: 3,
      },
      { d: 'M18 28.6c2-2.2 4-2.2 6 0s4 2.2 6 0', fill: 'none', strokeWidth: 2.8 },
    ],
  },
  // Two waves
  waves: {
    paths: [
      { d: 'M9.5 20c4.8-5.8 9.7-5.8 14.5 0s9.7 5.8 14.5 0', fill: 'none', strokeWidth: 3.2 },
      { d: 'M9.5 29c4.8-5.8 9.7-5.8 14.5 0s9.7 5.8 14.5 0', fill: 'none', strokeWidth: 3.2 },
    ],
  },
  // Arches of an aqueduct
  channel: {
    paths: [
      {
        d: 'M12.4 12.4h23.2a2.4 2.4 0 0 1 2.4 2.4V31h-3.2v-5.8a4.3 4.3 0 0 0-8.6 0V31h-4.4v-5.8a4.3 4.3 0 0 0-8.6 0V31H10V14.8a2.4 2.4 0 0 1 2.4-2.4Z',
      },
      { d: 'M10 36.5c2.3-2 4.7-2 7 0s4.7 2 7 0 4.7-2 7 0 4.7 2 7 0', fill: 'none', strokeWidth: 2.6 },
    ],
  },
  // Leaf with its vein
  leaf: {
    paths: [
      { d: 'M14 30.8C11.2 19.2 19.8 10.8 36.6 10 29.2 16.6 20.9 24 14 30.8Z' },
      { d: 'M16.6 33.4C28.2 35.8 37 27.6 37.8 11.2 31 18.7 23.6 26.4 16.6 33.4Z' },
      { d: 'M14.6 33.4 10.6 37.6', fill: 'none', strokeWidth: 2.8 },
    ],
  },
  // Crescent above water
  moon: {
    paths: [
      { d: 'M25.2 8.6a11 11 0 1 0 11.2 15.2A9.6 9.6 0 0 1 25.2 8.6Z' },
      { d: 'M10 37c2.3-2 4.7-2 7 0s4.7 2 7 0 4.7-2 7 0 4.7 2 7 0', fill: 'none', strokeWidth: 2.6 },
    ],
  },
  // Three drops
  rain: {
    paths: [
      { d: 'M24 8.5c3.6 5.4 7 8.9 7 13.4a7 7 0 0 1-14 0c0-4.5 3.4-8 7-13.4Z' },
      { d: 'M14 26.5c2.2 3.3 4.2 5.4 4.2 8.2a4.2 4.2 0 0 1-8.4 0c0-2.8 2-4.9 4.2-8.2Z' },
      { d: 'M34 26.5c2.2 3.3 4.2 5.4 4.2 8.2a4.2 4.2 0 0 1-8.4 0c0-2.8 2-4.9 4.2-8.2Z' },
    ],
  },
}
