import type { Coordinates } from '@qatra/contract/places/geo'

export type LocateProblem = 'unsupported' | 'denied' | 'unavailable' | 'timeout' | 'unknown'
export type Located = { point: Coordinates; accuracy: number; isRough: boolean } | { problem: LocateProblem }

/** SPEC §9. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 5 * 60_000 }
/** Accuracy in metres beyond which the user is asked to check the pin. */
const ROUGH = 500

const problems: Readonly<Record<number, LocateProblem>> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' }

/** The part of `Geolocation` that `locate` calls. */
export interface Locator {
  getCurrentPosition(
    found: (position: { coords: Pick<GeolocationCoordinates, 'latitude' | 'longitude' | 'accuracy'> }) => void,
    failed: (error: { code: number }) => void,
    options: PositionOptions,
  ): void
}

/** Location of the device; never rejects. */
export function locate(geolocation: Locator | undefined): Promise<Located> {
  if (!geolocation) return Promise.resolve({ problem: 'unsupported' })
  return new Promise((resolve) => {
    geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy } }) =>
        resolve({ point: { lat, lng }, accuracy, isRough: accuracy > ROUGH }),
      ({ code }) => resolve({ problem: problems[code] ?? 'unknown' }),
      OPTIONS,
    )
  })
}
