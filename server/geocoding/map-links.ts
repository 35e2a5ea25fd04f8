import type { Coordinates } from '@qatra/contract/places/geo'
import { checked, writtenPlaceIn } from './written-places.ts'

/** The first link of a message to a map. */
export interface MapLink {
  /** As written. */
  text: string
  url: URL
}

/** The place that a short link of a map leads to; null if it cannot be read. */
export type MapLinkReader = (url: URL) => Promise<Coordinates | null>

const links =
  /(?:https?:\/\/|geo:)[^\s<>"«»]+|\b(?:maps\.app\.goo\.gl|goo\.gl\/maps|maps\.google\.com|(?:www\.)?google\.com\/maps|maps\.apple\.com|maps\.apple)\/[^\s<>"«»]+/giu

const google = /^(?:www\.|maps\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/
const apple = /^maps\.apple(?:\.com)?$/
const waze = /^(?:www\.|ul\.)?waze\.com$/
const shorteners = new Set(['maps.app.goo.gl', 'goo.gl'])

const isGoogleMaps = ({ hostname, pathname }: URL) =>
  google.test(hostname) && (hostname.startsWith('maps.') || pathname.startsWith('/maps'))

const isShortened = ({ hostname, pathname }: URL) =>
  hostname === 'goo.gl' ? pathname.startsWith('/maps/') : shorteners.has(hostname)

export const isMapLink = (url: URL): boolean =>
  url.protocol === 'geo:' ||
  isShortened(url) ||
  isGoogleMaps(url) ||
  apple.test(url.hostname) ||
  waze.test(url.hostname)

/** Whether the address can be followed to a map: known hosts over https alone. */
export const isFollowed = (url: URL): boolean =>
  url.protocol === 'https:' &&
  url.port === '' &&
  (isShortened(url) || isGoogleMaps(url) || apple.test(url.hostname) || url.hostname === 'consent.google.com')

export function mapLinkIn(text: string): MapLink | null {
  for (const [found] of text.matchAll(links)) {
    const written = withoutPunctuation(found)
    const url = URL.parse(/^(?:https?:|geo:)/i.test(written) ? written : `https://${written}`)
    if (url && isMapLink(url)) return { text: written, url }
  }
  return null
}

function withoutPunctuation(link: string): string {
  let end = link.length
  while (end > 0 && ".,،؛;!?؟)]'’".includes(link.charAt(end - 1))) end -= 1
  return link.slice(0, end)
}

const pair = /^(?:loc:)? ?(-?\d{1,2}(?:\.\d{1,20})?) ?, ?\+?(-?\d{1,3}(?:\.\d{1,20})?)(?![\d.])/u
/** Names of parameters, the pin before the middle of the map. */
const parameters = ['q', 'query', 'destination', 'daddr', 'coordinate', 'll', 'sll', 'center']

function pointOfPair(text: string | null | undefined): Coordinates | null {
  const [, lat, lng] = pair.exec(text?.trim() ?? '') ?? []
  return lat === undefined || lng === undefined ? null : checked(Number(lat), Number(lng))
}

/** The coordinates written in a link: the pin, else what was searched for, else the middle of the map. */
export function pointInLink(url: URL): Coordinates | null {
  if (url.protocol === 'geo:') return pointOfPair(url.searchParams.get('q')) ?? pointOfPair(url.pathname)
  if (!isMapLink(url)) return null
  const path = decoded(`${url.pathname}${url.hash}`)
  const pin = pinIn(`${path}${url.search}`)
  if (pin) return pin
  for (const name of parameters) {
    const point = pointOfPair(url.searchParams.get(name))
    if (point) return point
  }
  const segments = path.split('/')
  const places = segments.flatMap((segment) => pointOfPair(segment) ?? [])
  const middle = segments.find((segment) => segment.startsWith('@'))
  const written = segments.flatMap((segment) => writtenPlaceIn(segment.replaceAll('+', ' '))?.point ?? [])
  return places.at(-1) ?? written.at(-1) ?? pointOfPair(middle?.slice(1))
}

/** `!3d26.2!4d50.5`; the last one is the place, the others are on the way. */
function pinIn(text: string): Coordinates | null {
  const pin = [...text.matchAll(/!3d(-?\d{1,2}\.\d+)!4d(-?\d{1,3}\.\d+)/g)].at(-1)
  return pin ? checked(Number(pin[1]), Number(pin[2])) : null
}

/** The coordinates in a map's page, of its preview picture or its pin. */
export function pointInPage(html: string): Coordinates | null {
  const centre = /staticmap\?(?:[^"'<>\s]{0,200}?[?&;])?center=(-?[\d.]+)(?:%2C|,)(-?[\d.]+)/iu.exec(html)
  if (centre) return checked(Number(centre[1]), Number(centre[2]))
  return pinIn(html)
}

/** `%2C` and the like; as it is if it is not encoded properly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
