/** Metres; of a device's position that is less accurate, the driver needs the road. */
export const accurateWithin = 50

/** How a pin was set. */
export type PinSource =
  /** Put on the map by the person. */
  | { by: 'person' }
  /** Metres, as the device reports them. */
  | { by: 'device'; accuracy: number }
  /** The pin of a saved address that was accepted without its road. */
  | { by: 'saved' }
  /** The middle of an area, a search result, or unknown. */
  | { by: 'place' }
export type Pin = PinSource & { isInArea: boolean }

/** Whether the pin alone leads a driver to the door. */
export function isAccurate(pin: Pin): boolean {
  if (!pin.isInArea) return false
  return pin.by === 'device' ? pin.accuracy > 0 && pin.accuracy <= accurateWithin : pin.by !== 'place'
}

/** The road is optional where the pin is accurate. */
export const needsRoad = (pin: Pin): boolean => !isAccurate(pin)
