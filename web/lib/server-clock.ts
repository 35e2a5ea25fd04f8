/** Smaller differences are within the second that the header rounds to, or on the way. */
const TOLERANCE_MS = 1_500

let offsetMs = 0

/** Compares the device's clock with the `Date` header of an answer that has just arrived. */
export function noteServerTime(header: string | null) {
  const difference = Date.parse(header ?? '') + 500 - Date.now()
  if (Number.isNaN(difference)) return
  offsetMs = Math.abs(difference) > TOLERANCE_MS ? difference : 0
}

/** A time of the device in the server's time. */
export const toServerTime = (deviceMs: number): number => deviceMs + offsetMs

/** The server's time in milliseconds; that of the device until an answer has arrived. */
export const serverNow = (): number => toServerTime(Date.now())
