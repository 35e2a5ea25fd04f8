/** A telephone that was off for longer than this is not believed about the time. */
const BELIEVED_MS = 14 * 86_400_000

/** When something was done, as told by a clock that may be wrong: never in the future, nor before `notBefore`. */
export function momentOf(at: string | undefined, now: Date, notBefore?: Date): Date {
  if (at === undefined) return now
  const earliest = Math.max(now.getTime() - BELIEVED_MS, notBefore?.getTime() ?? 0)
  return new Date(Math.min(now.getTime(), Math.max(earliest, new Date(at).getTime())))
}
