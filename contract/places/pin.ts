/** Metres; of a device's position that is less accurate, the driver needs the road. */
export const accurateWithin = 50

/**
 * How a pin was set: by a device's position, by a person on the map, by a search result, or as the middle of an area that
 * was chosen from a list.
 */
export const pinSources = ['gps', 'map', 'search', 'area'] as const
export type PinSource = (typeof pinSources)[number]

/** Whether the pin may be far from the door, so that block and road lead the driver. Not said of an unknown source. */
export const isApproximate = (source: PinSource | null): boolean => source === 'area' || source === 'search'

export interface Pin {
  source: PinSource | null
  /** Metres, as the device reports them. */
  accuracy?: number | undefined
  /** The pin of a saved address that was accepted without its road. */
  isAccepted?: boolean | undefined
}

/** Whether the pin alone leads a driver to the door. */
export function isAccurate({ source, accuracy = 0, isAccepted, isInArea }: Pin & { isInArea: boolean }): boolean {
  if (!isInArea) return false
  if (isApproximate(source)) return false
  if (isAccepted || source === 'map') return true
  return source === 'gps' && accuracy > 0 && accuracy <= accurateWithin
}

/** The road is optional where the pin is accurate. */
export const needsRoad = (pin: Pin & { isInArea: boolean }): boolean => !isAccurate(pin)
