/** Damerau-Levenshtein distance (optimal string alignment); `limit + 1` if it is above the limit. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > limit) return limit + 1
    before = last
    last = row
  }
  return last[b.length] ?? limit + 1
}

/** Mistakes allowed in a word: none up to 3 letters, 1 for 4 to 6, 2 above. */
export const allowedMistakes = (word: string) => (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)

/** Words of a closed list by first letter. */
export type ClosedList = ReadonlyMap<string, readonly string[]>

export function closedList(words: Iterable<string>): ClosedList {
  const byLetter = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < 4 || word.includes(' ')) continue
    const letter = word[0] ?? ''
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), word])
  }
  return byLetter
}

/** The nearest words of the list that begin with the same letter (or with the first two exchanged). */
export function nearest(word: string, list: ClosedList): readonly string[] {
  const limit = allowedMistakes(word)
  if (limit === 0) return []
  const sameLetter = list.get(word[0] ?? '') ?? []
  const exchanged = (list.get(word[1] ?? '') ?? []).filter((other) => other[1] === word[0])
  let best: string[] = []
  let least = limit + 1
  for (const other of [...sameLetter, ...exchanged]) {
    const mistakes = distance(word, other, Math.min(limit, allowedMistakes(other)))
    if (mistakes > Math.min(limit, allowedMistakes(other))) continue
    if (mistakes < least) best = []
    if (mistakes <= least && !best.includes(other)) best.push(other)
    least = Math.min(least, mistakes)
  }
  return best
}
