/** Firefox before 125 has none; the office previews values there with cuts between code points. */
const letters = 'Segmenter' in Intl ? new Intl.Segmenter('ar', { granularity: 'grapheme' }) : null

const segmentsOf = (text: string) => letters?.segment(text) ?? [...text].map((segment) => ({ segment }))

export const graphemesOf = (text: string): string[] => Array.from(segmentsOf(text), ({ segment }) => segment)

/** Truncates to at most `most` UTF-16 units with an ellipsis. Never splits a grapheme. */
export function fit(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of segmentsOf(text)) {
    if (kept.length + segment.length > most - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** As `fit`, without an ellipsis: for values that are stored. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, letterAt(text, most) || most)
}

/** Start of the grapheme at this index; the index itself if there is none. */
export function letterAt(text: string, place: number): number {
  if (letters) return letters.segment(text).containing(place)?.index ?? place
  return /^[\udc00-\udfff]/.test(text.slice(place)) ? place - 1 : place
}
