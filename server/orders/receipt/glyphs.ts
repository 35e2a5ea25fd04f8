/** Which characters fonts have, and text without the others. */

import { graphemesOf } from '@qatra/contract/lib/fit'

/** The code points that a TrueType font maps to a glyph, from its `cmap` table (formats 4 and 12). */
export function codePointsOf(font: Buffer): ReadonlySet<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i)
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')
  if (entry === undefined) throw new Error('A font without a cmap table')
  const cmap = font.subarray(font.readUInt32BE(entry + 8))
  const found = new Set<number>()
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const part = cmap.subarray(cmap.readUInt32BE(4 + 8 * i + 4))
    const format = part.readUInt16BE(0)
    if (format === 4) addSegments(part, found)
    if (format === 12) addGroups(part, found)
  }
  return found
}

/** Format 12: groups of first and last code point with the glyph of the first. */
function addGroups(part: Buffer, found: Set<number>) {
  for (let i = 0; i < part.readUInt32BE(12); i++) {
    const at = 16 + 12 * i
    const [first, last, glyph] = [part.readUInt32BE(at), part.readUInt32BE(at + 4), part.readUInt32BE(at + 8)]
    for (let code = first; code <= last; code++) if (glyph + code - first !== 0) found.add(code)
  }
}

/** Format 4: segments up to U+FFFF whose glyphs are a difference or a list. */
function addSegments(part: Buffer, found: Set<number>) {
  const bytes = part.readUInt16BE(6)
  for (let at = 14; at < 14 + bytes; at += 2) {
    const [last, first] = [part.readUInt16BE(at), part.readUInt16BE(at + bytes + 2)]
    const delta = part.readUInt16BE(at + 2 * bytes + 2)
    const offsetAt = at + 3 * bytes + 2
    const offset = part.readUInt16BE(offsetAt)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = offset === 0 ? code : part.readUInt16BE(offsetAt + offset + 2 * (code - first))
      if (listed !== 0 && (listed + delta) % 0x10000 !== 0) found.add(code)
    }
  }
}

/** Stands for what no font has. */
const BOX = '\u25a1'
/** Need no glyph of their own: joiners, forms of emoji, isolates of direction, letters of flags. */
const invisible = /[\u2066-\u2069\u{e0020}-\u{e007f}]|\u200c|\u200d|\ufe0e|\ufe0f/u
/** Not shown by definition; without a glyph in the font it would count as missing. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The text with a box for each character that none of the fonts has. A character and its marks are set in one font, so
 * one font must have all of them; else a compatible form is tried, then the character without its marks.
 */
export function printable(text: string, fonts: readonly ReadonlySet<number>[]): string {
  const isShown = (cluster: string) =>
    fonts.some((font) => [...cluster].every((one) => invisible.test(one) || font.has(one.codePointAt(0) ?? 0)))
  const shown = text.replace(ignorable, (one) => (invisible.test(one) ? one : ''))
  return graphemesOf(shown)
    .map((segment) => {
      const [base = ''] = segment
      return [segment, segment.normalize('NFKC'), base].find(isShown) ?? BOX
    })
    .join('')
}
