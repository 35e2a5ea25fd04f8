import { describe, expect, it } from 'vitest'
import { isAccurate, needsRoad, type Pin } from './pin.ts'

describe('a pin', () => {
  it.each<[Pin, boolean]>([
    [{ by: 'person', isInArea: true }, true],
    [{ by: 'person', isInArea: false }, false],
    [{ by: 'device', accuracy: 50, isInArea: true }, true],
    [{ by: 'device', accuracy: 50.1, isInArea: true }, false],
    [{ by: 'device', accuracy: 1, isInArea: false }, false],
    [{ by: 'device', accuracy: 0, isInArea: true }, false],
    [{ by: 'device', accuracy: Number.NaN, isInArea: true }, false],
    [{ by: 'saved', isInArea: true }, true],
    [{ by: 'saved', isInArea: false }, false],
    [{ by: 'place', isInArea: true }, false],
  ])('%j is accurate: %s', (pin, accurate) => {
    expect(isAccurate(pin)).toBe(accurate)
    expect(needsRoad(pin)).toBe(!accurate)
  })
})
