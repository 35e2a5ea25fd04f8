/**
 * Generates areas.json: divides each island by the nearest area centre (Voronoi cells), so that the areas cover the
 * land without gaps or overlaps. Run after a change of the coast or the list of areas:
 * node server/areas/bahrain/build-areas.ts
 */
import { writeFileSync } from 'node:fs'
import type { Position } from '@qatra/contract/places/geo'
import { isInRing } from '@qatra/contract/places/outline'
import { land } from '@qatra/contract/places/places'
import polygonClipping from 'polygon-clipping'
import { areaList } from './area-list.ts'
import { signedArea } from './rings.ts'

type Ring = Position[]
interface Site {
  areaId: string
  at: Position
}

/** Length of a degree of longitude in degrees of latitude at 26.1° north. */
const squeeze = Math.cos((26.1 * Math.PI) / 180)
const sites = areaList.flatMap(({ areaId, centre, also }) => [centre, ...also].map((at): Site => ({ areaId, at })))

const pieces = new Map<string, Ring[][]>()
for (const island of land.coordinates) {
  const [coast] = island
  if (!coast) continue
  const here = sites.filter(({ at }) => isInRing(at, coast))
  const islandSites = here.length > 0 ? here : [nearestTo(middleOf(coast))]
  for (const areaId of new Set(islandSites.map((site) => site.areaId))) {
    const cells = islandSites.filter((site) => site.areaId === areaId).map((site) => [cellOf(site, islandSites, coast)])
    const [first, ...rest] = cells
    if (!first) continue
    const parts = polygonClipping.intersection(polygonClipping.union(first, ...rest), [coast])
    pieces.set(areaId, [...(pieces.get(areaId) ?? []), ...parts])
  }
}

const snap = snapper()
const lines = areaList.map(({ areaId }) => {
  const polygons = (pieces.get(areaId) ?? []).map((rings) => rings.map(tidy)).filter((rings) => rings[0])
  if (polygons.length === 0) throw new Error(`No land is left for ${areaId}`)
  return `${JSON.stringify(areaId)}:${JSON.stringify(polygons)}`
})
writeFileSync(new URL('areas.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`)

/**
 * The convex region that is nearer to a site than to the others of its island, clipped to a frame around the island.
 */
function cellOf(site: Site, others: readonly Site[], coast: Ring): Ring {
  const [lngs, lats] = [coast.map(([lng]) => lng), coast.map(([, lat]) => lat)]
  const [west, east] = [Math.min(...lngs) - 0.1, Math.max(...lngs) + 0.1]
  const [south, north] = [Math.min(...lats) - 0.1, Math.max(...lats) + 0.1]
  let cell: Ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
  for (const other of others) if (other !== site) cell = nearerHalf(cell, site.at, other.at)
  const [start] = cell
  return (start ? [...cell, start] : cell).map(snapped)
}

/** The part of a convex ring that is nearer to `own` than to `other`. */
function nearerHalf(ring: Ring, own: Position, other: Position): Ring {
  const excess = (p: Position) => distance(p, own) - distance(p, other)
  return ring.flatMap((from, i) => {
    const to = ring[(i + 1) % ring.length] ?? from
    const [a, b] = [excess(from), excess(to)]
    const kept: Ring = a <= 0 ? [from] : []
    if (a < 0 !== b < 0 && a !== b) {
      const t = a / (a - b)
      kept.push([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])])
    }
    return kept
  })
}

/** Squared, in degrees of latitude. */
function distance([lngA, latA]: Position, [lngB, latB]: Position) {
  return ((lngA - lngB) * squeeze) ** 2 + (latA - latB) ** 2
}

function nearestTo(point: Position): Site {
  return sites.reduce((best, next) => (distance(next.at, point) < distance(best.at, point) ? next : best))
}

function middleOf(ring: Ring): Position {
  const sum = ring.reduce<Position>(([lng, lat], p) => [lng + p[0], lat + p[1]], [0, 0])
  return [sum[0] / ring.length, sum[1] / ring.length]
}

/**
 * Adjacent cells compute shared corners separately and differ in the last bits; equal corners are needed for clipping.
 */
function snapped([lng, lat]: Position): Position {
  return [Number(lng.toFixed(9)), Number(lat.toFixed(9))]
}

/** Rounds to six decimals (11 cm); maps points that neighbours round differently to one point. */
function snapper() {
  const known = new Map<string, Position>()
  return ([lng, lat]: Position): Position => {
    const [x, y] = [Math.round(lng * 1e6), Math.round(lat * 1e6)]
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++) {
        const near = known.get(`${x + dx} ${y + dy}`)
        if (near) return near
      }
    const point: Position = [x / 1e6, y / 1e6]
    known.set(`${x} ${y}`, point)
    return point
  }
}

/**
 * Snaps a ring and closes it, without repeated points; outer rings counter-clockwise and holes clockwise (RFC 7946).
 */
function tidy(ring: Ring, index: number): Ring {
  const points = ring
    .slice(0, -1)
    .map(snap)
    .filter((point, i, all) => point !== all[(i + 1) % all.length])
  if (signedArea(points) > 0 !== (index === 0)) points.reverse()
  const [start] = points
  return start ? [...points, start] : points
}
