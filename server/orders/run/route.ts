import { type Coordinates, distanceInMetres } from '@qatra/contract/places/geo'

export interface Place {
  id: string
  at: Coordinates
}

/** Straight-line length in metres. */
export function lengthOf(places: readonly Place[]): number {
  let sum = 0
  for (let i = 1; i < places.length; i++) sum += between(places[i - 1], places[i])
  return sum
}

const between = (a: Place | undefined, b: Place | undefined) => (a && b ? distanceInMetres(a.at, b.at) : 0)

/** Smaller gains are rounding noise and would loop without end. */
const MIN_GAIN_METRES = 0.001

/**
 * A short route from the first place: nearest neighbour, then 2-opt. Never longer than the input order, and
 * deterministic.
 */
export function shortRoute(places: readonly Place[]): Place[] {
  const n = places.length
  if (n < 3) return [...places]
  const metres = distances(places)
  const order = nearestNeighbour(n, metres)
  twoOpt(order, n, metres)
  const found = order.flatMap((i) => places[i] ?? [])
  return lengthOf(found) < lengthOf(places) ? found : [...places]
}

function distances(places: readonly Place[]): Float64Array {
  const n = places.length
  const metres = new Float64Array(n * n)
  places.forEach((a, i) => {
    places.forEach((b, j) => {
      if (j > i) metres[i * n + j] = metres[j * n + i] = between(a, b)
    })
  })
  return metres
}

function nearestNeighbour(n: number, metres: Float64Array): number[] {
  const left = new Set(Array.from({ length: n - 1 }, (_, i) => i + 1))
  const order = [0]
  let here = 0
  while (left.size > 0) {
    let next = -1
    let least = Infinity
    for (const candidate of left) {
      const d = metres[here * n + candidate] ?? 0
      if (d < least) {
        least = d
        next = candidate
      }
    }
    left.delete(next)
    order.push(next)
    here = next
  }
  return order
}

/** 2-opt: reverses segments while that shortens the route; the first place is fixed, the last one is free. */
function twoOpt(order: number[], n: number, metres: Float64Array) {
  const leg = (i: number, j: number) => {
    const [a, b] = [order[i], order[j]]
    return a === undefined || b === undefined ? 0 : (metres[a * n + b] ?? 0)
  }
  for (let isBetter = true; isBetter; ) {
    isBetter = false
    for (let i = 1; i < n - 1; i++) {
      for (let j = i + 1; j < n; j++) {
        // There is no leg after the last place.
        const saved = leg(i - 1, i) + leg(j, j + 1) - leg(i - 1, j) - leg(i, j + 1)
        if (saved > MIN_GAIN_METRES) {
          reverse(order, i, j)
          isBetter = true
        }
      }
    }
  }
}

function reverse(order: number[], from: number, to: number) {
  const turned = order.slice(from, to + 1).reverse()
  order.splice(from, turned.length, ...turned)
}

/** Inserts a place where it lengthens the route least, not before `from`. */
export function insertCheapest(places: readonly Place[], place: Place, from = 0): Place[] {
  let best = places.length
  let least = Infinity
  for (let i = Math.min(from, places.length); i <= places.length; i++) {
    const [before, after] = [places[i - 1], places[i]]
    const more = between(before, place) + between(place, after) - between(before, after)
    if (more < least) {
      least = more
      best = i
    }
  }
  return [...places.slice(0, best), place, ...places.slice(best)]
}
