const letters = new Intl.Segmenter('ar', { granularity: 'grapheme' })

/** Cut to so many UTF-16 units with an ellipsis, never through a letter and its marks. */
export function fit(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (kept.length + segment.length > most - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Where the letter begins that holds this place of the text, with its marks; the place itself where there is none. */
export const letterAt = (text: string, place: number): number => letters.segment(text).containing(place)?.index ?? place
