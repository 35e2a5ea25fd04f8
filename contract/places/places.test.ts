import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { areaGeometry, bahrainBox, boxOf, isInBox, type Position } from './geo.ts'
import { land, placeLabels, roads } from './places.ts'

const sizeOf = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url)).byteLength
const isPosition = (point: Position) =>
  point.length === 2 && isInBox({ lng: point[0], lat: point[1] }, bahrainBox) && point.every((n) => hasDecimals(n, 5))
const hasDecimals = (n: number, most: number) => Number(n.toFixed(most)) === n

describe('the built-in map', () => {
  it('has an outline of closed rings inside the box of Bahrain', () => {
    expect(areaGeometry.safeParse(land).success).toBe(true)
    expect(land.type).toBe('MultiPolygon')
    const box = boxOf(land)
    expect(isInBox({ lng: box.west, lat: box.south }, bahrainBox)).toBe(true)
    expect(isInBox({ lng: box.east, lat: box.north }, bahrainBox)).toBe(true)
    expect(land.coordinates.flat(2).every(isPosition)).toBe(true)
  })

  it('has roads of at least two points with both names', () => {
    expect(roads.length).toBeGreaterThanOrEqual(10)
    for (const road of roads) {
      expect(road.line.length).toBeGreaterThanOrEqual(2)
      expect(road.line.every(isPosition)).toBe(true)
      expect([road.name, road.nameAr].every((name) => name.trim().length > 2)).toBe(true)
    }
  })

  it('has unique labels with both names and a rank', () => {
    expect(placeLabels.length).toBeGreaterThanOrEqual(15)
    expect(new Set(placeLabels.map(({ name }) => name)).size).toBe(placeLabels.length)
    for (const label of placeLabels) {
      expect(isPosition(label.point)).toBe(true)
      expect([1, 2, 3]).toContain(label.rank)
      expect(/\p{Script=Arabic}/u.test(label.nameAr) && /^[A-Za-z' ]+$/.test(label.name)).toBe(true)
    }
  })

  it('is small enough to be sent with a page that has a map', () => {
    expect(sizeOf('land.json')).toBeLessThan(12 * 1024)
    expect(sizeOf('roads.json')).toBeLessThan(6 * 1024)
    expect(sizeOf('labels.json')).toBeLessThan(4 * 1024)
  })
})
