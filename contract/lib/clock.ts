/** Milliseconds from midnight. Throws RangeError if the text is not a time of day. Accepts seconds, as PostgreSQL returns them. */
export function sinceMidnight(time: string): number {
  const [, hours, minutes, seconds = '0'] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.0+)?)?$/.exec(time) ?? []
  if (hours === undefined || minutes === undefined) throw new RangeError('Not a time of day')
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000
}
