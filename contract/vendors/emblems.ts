/** Emblems of vendors, drawn in web/public/emblems.svg. */
export const emblems = ['shell', 'cloud', 'drop', 'waves', 'channel', 'leaf', 'moon', 'rain'] as const
export type Emblem = (typeof emblems)[number]

export const isEmblem = (name: string | null): name is Emblem => emblems.some((known) => known === name)
