import { westernDigits } from '@qatra/contract/lib/digits'
import { type Coordinates, defaultCentre, isInBahrainBox } from '@qatra/contract/places/geo'

/** A place in a text, and the part of the text that says it. */
export interface WrittenPlace {
  text: string
  point: Coordinates
}

export const checked = (lat: number, lng: number): Coordinates | null =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0) ? { lat, lng } : null

/** `26.23250, 50.53480`, `26.2325° N 50.5348° E`, `N 26.2325 E 50.5348`, `lat 26.2325 lng 50.5348`. */
const decimals =
  /(?<![\d.])(?:lat(?:itude)?[\s:=]{1,3})?([-+]?\d{1,2}\.\d{2,15})\s{0,2}°?\s{0,2}([NS])?(?:[\s,;،|/]|lon(?:g(?:itude)?)?|lng|[:=]|E(?=\s{0,2}\d)){1,8}([-+]?\d{1,3}\.\d{2,15})(?![\d.])\s{0,2}°?\s{0,2}([EW](?!\w))?/iu
/** `26°13'57.0"N 50°32'05.0"E`, the letters also in Arabic. */
const sexagesimal =
  /(\d{1,2})\s?[°º˚]\s?(\d{1,2}(?:\.\d{1,10})?)\s?['’′]\s?(?:(\d{1,2}(?:\.\d{1,10})?)\s?(?:["”″“]|''|’’|′′)\s?)?([NS]|شمالا?|جنوبا?|ش|ج)?[\s+,،]{0,3}(\d{1,3})\s?[°º˚]\s?(\d{1,2}(?:\.\d{1,10})?)\s?['’′]\s?(?:(\d{1,2}(?:\.\d{1,10})?)\s?(?:["”″“]|''|’’|′′)\s?)?([EW]|شرقا?|غربا?|ق|غ)?/iu
/** `26 13 57 N, 50 35 12 E`, `26 13.95 شمال 50 35.2 شرق`: without signs, but with letters. */
const lettered =
  /(?<![\d.])(\d{1,2})[\s:-]{1,3}(\d{1,2}(?:\.\d{1,10})?)(?:[\s:-]{1,3}(\d{1,2}(?:\.\d{1,10})?))?\s{0,2}([NS](?!\p{L})|شمالا?|جنوبا?|ش|ج)[\s+,،]{1,3}(\d{1,3})[\s:-]{1,3}(\d{1,2}(?:\.\d{1,10})?)(?:[\s:-]{1,3}(\d{1,2}(?:\.\d{1,10})?))?\s{0,2}([EW](?!\p{L})|شرقا?|غربا?|ق|غ)/iu
const isNegative = (side: string | undefined) => /^(?:[SW]|ج|غ)/iu.test(side ?? '')

/** Letters of plus codes (Open Location Code). */
const letters = '23456789CFGHJMPQRVWX'
const plusCode = new RegExp(
  `(?<![\\p{L}\\p{N}+])([${letters}]{8}|[${letters}]{4})\\+([${letters}]{2,7})(?![\\p{L}\\p{N}+])`,
  'iu',
)
/** Degrees of the first five pairs of a code. */
const pairs = [20, 1, 0.05, 0.0025, 0.000125] as const
const PREFIX = 4

/** Numbers with few decimals are a place in Bahrain alone; elsewhere they may be prices. */
const EXACT = 4
const isExact = (...written: readonly string[]) => written.every((one) => (one.split('.')[1]?.length ?? 0) >= EXACT)

/** Coordinates or a plus code in a text. Each character keeps its length, so that the part can be cut out. */
export function writtenPlaceIn(text: string): WrittenPlace | null {
  const plain = westernDigits(text).replaceAll('٫', '.')
  return (
    read(text, plain, decimals, pointOfDecimals) ??
    read(text, plain, sexagesimal, pointOfSexagesimal) ??
    read(text, plain, lettered, pointInBahrain) ??
    read(text, plain, plusCode, pointOfCode)
  )
}

function read(
  text: string,
  plain: string,
  pattern: RegExp,
  pointOf: (found: readonly (string | undefined)[]) => Coordinates | null,
): WrittenPlace | null {
  const found = pattern.exec(plain)
  const point = found && pointOf(found)
  return found && point ? { text: text.slice(found.index, found.index + found[0].length), point } : null
}

function pointOfDecimals([, lat = '', south, lng = '', west]: readonly (string | undefined)[]): Coordinates | null {
  const point = checked(isNegative(south) ? -Number(lat) : Number(lat), isNegative(west) ? -Number(lng) : Number(lng))
  return point && (isInBahrainBox(point) || isExact(lat, lng)) ? point : null
}

function pointOfSexagesimal(found: readonly (string | undefined)[]): Coordinates | null {
  const degrees = (at: number) => {
    const [whole, minutes, seconds, side] = found.slice(at, at + 4)
    const value = Number(whole) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600
    return isNegative(side) ? -value : value
  }
  return checked(degrees(1), degrees(5))
}

/** Numbers without signs elsewhere are something else. */
function pointInBahrain(found: readonly (string | undefined)[]): Coordinates | null {
  const point = pointOfSexagesimal(found)
  return point && isInBahrainBox(point) ? point : null
}

/** The middle of the code's field. A short code is the one nearest to Bahrain's middle, which is clear for all its islands. */
function pointOfCode([, start = '', end = '']: readonly (string | undefined)[]): Coordinates | null {
  const code = `${start}${end}`.toUpperCase()
  // A sum is no place.
  if (!/[A-Z]/.test(code)) return null
  if (start.length === 8) return middleOf(code)
  const near = middleOf(`${codeOf(defaultCentre)}${code}`)
  const moved = (value: number, reference: number) => value - Math.round(value - reference)
  return { lat: moved(near.lat, defaultCentre.lat), lng: moved(near.lng, defaultCentre.lng) }
}

/** The first pairs of a point's code. */
function codeOf({ lat, lng }: Coordinates): string {
  const [y, x] = [lat + 90, lng + 180]
  return pairs
    .slice(0, PREFIX / 2)
    .flatMap((size, i) =>
      [y, x].map((value) => letters[Math.floor((i === 0 ? value : value % (pairs[0] ?? 20)) / size)]),
    )
    .join('')
}

function middleOf(code: string): Coordinates {
  let [lat, lng, height, width] = [-90, -180, 20, 20]
  for (const [i, letter] of [...code].entries()) {
    const value = letters.indexOf(letter)
    const size = pairs[Math.floor(i / 2)]
    if (size === undefined) {
      // After five pairs a letter is one of five rows of four fields.
      ;[height, width] = [height / 5, width / 4]
      lat += Math.floor(value / 4) * height
      lng += (value % 4) * width
    } else if (i % 2 === 0) {
      lat += value * size
      height = size
    } else {
      lng += value * size
      width = size
    }
  }
  const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7
  return { lat: round(lat + height / 2), lng: round(lng + width / 2) }
}
