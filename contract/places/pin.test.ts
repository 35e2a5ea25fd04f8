import { describe, expect, it } from 'vitest'
import { isAccurate, needsRoad, type Pin } from './pin.ts'

describe('a pin', () => {
  it.each<[Pin & { isInArea: boolean }, boolean]>([
    [{ source: 'map', isInArea: true }, true],
    [{ source: 'map', isInArea: false }, false],
    [{ source: 'gps', accuracy: 50, isInArea: true }, true],
    [{ source: 'gps', accuracy: 50.1, isInArea: true }, false],
    [{ source: 'gps', accuracy: 1, isInArea: false }, false],
    [{ source: 'gps', accuracy: 0, isInArea: true }, false],
    [{ source: 'gps', accuracy: Number.NaN, isInArea: true }, false],
    [{ source: 'gps', isInArea: true }, false],
    [{ source: null, isAccepted: true, isInArea: true }, true],
    [{ source: null, isAccepted: true, isInArea: false }, false],
    [{ source: 'area', isInArea: true }, false],
    [{ source: 'area', isAccepted: true, isInArea: true }, false],
    [{ source: 'search', isInArea: true }, false],
    [{ source: null, isInArea: true }, false],
  ])('%j is accurate: %s', (pin, accurate) => {
    expect(isAccurate(pin)).toBe(accurate)
    expect(needsRoad(pin)).toBe(!accurate)
  })
})
