/** A reported time further back than this is not trusted. */
const MAX_REPORT_AGE_MS = 14 * 86_400_000

/** Reported time of an action, from a clock that may be wrong, clamped to `notBefore` and now. */
export function reportedTime(at: string | undefined, now: Date, notBefore?: Date): Date {
  if (at === undefined) return now
  const earliest = Math.max(now.getTime() - MAX_REPORT_AGE_MS, notBefore?.getTime() ?? 0)
  return new Date(Math.min(now.getTime(), Math.max(earliest, new Date(at).getTime())))
}
