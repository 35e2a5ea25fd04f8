const letters = new Intl.Segmenter('ar', { granularity: 'grapheme' })

/** Truncates to at most `most` UTF-16 units with an ellipsis. Never splits a grapheme. */
export function fit(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
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
export const letterAt = (text: string, place: number): number => letters.segment(text).containing(place)?.index ?? place
