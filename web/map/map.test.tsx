import type { Coordinates } from '@qatra/contract/places/geo'
import type { Place } from '@qatra/contract/places/geocode'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { Map as LeafletMap } from 'leaflet'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueries } from '../app/queries.ts'
import { fetchKey } from '../lib/api-client.ts'
import { dismissToast, Toasts } from '../ui/Toast.tsx'
import { renderIn } from '../ui/test-page.tsx'
import { startCentre } from './limits.ts'
import { type Locator, locate } from './locate.ts'
import { LocateButton } from './MapPicker.tsx'
import { PickerMap } from './PickerMap.tsx'
import { PlaceSearch } from './PlaceSearch.tsx'
import { pathOf } from './projection.ts'

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const seef = { lat: 26.2378, lng: 50.5402 }
const geolocation = (getCurrentPosition: Locator['getCurrentPosition']): Locator => ({ getCurrentPosition })

describe('my location', () => {
  it('requests high accuracy with a timeout of 10 s and a maximum age of 5 minutes', async () => {
    let requested: PositionOptions = {}
    await locate(
      geolocation((found, _, options) => {
        requested = options
        found({ coords: { latitude: 1, longitude: 2, accuracy: 500 } })
      }),
    )
    expect(requested).toEqual({ enableHighAccuracy: true, timeout: 10_000, maximumAge: 300_000 })
  })

  it('is rough if the accuracy is worse than 500 m', async () => {
    const within = (accuracy: number) =>
      locate(geolocation((found) => found({ coords: { latitude: 1, longitude: 2, accuracy } })))
    expect(await within(500)).toEqual({ point: { lat: 1, lng: 2 }, accuracy: 500, isRough: false })
    expect(await within(501)).toEqual({ point: { lat: 1, lng: 2 }, accuracy: 501, isRough: true })
  })

  it.each([
    [1, 'Location permission denied', /Allow location/],
    [2, 'Your location is unavailable', /switched on/],
    [3, 'Finding your location took too long', /near a window/],
    [4, 'Your location could not be found', /Tap the map/],
    [null, 'Your browser cannot tell your location', /Tap the map/],
  ] as const)('shows its own message for problem %s', async (code, title, hint) => {
    const denied = geolocation((_, failed) => failed({ code: code ?? 0 }))
    vi.stubGlobal('navigator', { geolocation: code === null ? undefined : denied })
    await renderIn(
      'en',
      <>
        <LocateButton onFound={() => expect.unreachable()} />
        <Toasts />
      </>,
    )
    fireEvent.click(screen.getByRole('button', { name: /My location/ }))
    expect((await screen.findByText(title)).nextSibling?.textContent).toMatch(hint)
  })
})

/** The search with a server whose answers the test triggers. */
async function searching() {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const answers = new Map<string, (places: Place[]) => void>()
  vi.stubGlobal('fetch', (address: string) => {
    const text = new URL(address, 'http://shop.test').searchParams.get('q') ?? ''
    return new Promise((resolve) => answers.set(text, (places) => resolve(new Response(JSON.stringify(places)))))
  })
  const chosen: Place[] = []
  await renderIn(
    'ar',
    <QueryClientProvider client={createQueries(fetchKey)}>
      <PlaceSearch onChoose={(place) => chosen.push(place)} />
    </QueryClientProvider>,
  )
  const field = screen.getByRole('combobox')
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  return { answers, chosen, field, type, wait }
}
const place = (name: string): Place => ({
  ...seef,
  address: name,
  display_name: `${name}، البحرين`,
  block: null,
})

describe('place search', () => {
  it('sends a request one second after the last letter, from three letters', async () => {
    const { answers, type, wait } = await searching()
    type('سي')
    await wait(3000)
    expect([...answers.keys()]).toEqual([])
    type('سيف')
    await wait(900)
    type('السيف')
    await wait(900)
    expect([...answers.keys()]).toEqual([])
    await wait(200)
    expect([...answers.keys()]).toEqual(['السيف'])
  })

  it('never shows the answer to an older text', async () => {
    const { answers, type, wait } = await searching()
    type('السيف')
    await wait(1001)
    type('المحرق')
    await wait(1001)
    answers.get('المحرق')?.([place('المحرق')])
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['المحرق، البحرين']),
    )
    answers.get('السيف')?.([place('السيف')])
    await wait(10)
    expect(screen.queryByText('السيف، البحرين')).toBeNull()
  })

  it('selects a place by keyboard', async () => {
    const { answers, chosen, field, type, wait } = await searching()
    type('السيف')
    fireEvent.keyDown(field, { key: 'Enter' })
    await wait(1)
    answers.get('السيف')?.([place('السيف'), place('ضاحية السيف')])
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    expect(field.getAttribute('aria-expanded')).toBe('true')
    fireEvent.keyDown(field, { key: 'ArrowUp' })
    expect(screen.getAllByRole('option')[1]?.id).toBe(field.getAttribute('aria-activedescendant'))
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(chosen.map(({ address }) => address)).toEqual(['ضاحية السيف'])
    expect(field.getAttribute('aria-expanded')).toBe('false')
  })

  it('shows a message if nothing is found', async () => {
    const { answers, type, wait } = await searching()
    type('xyz')
    await wait(1001)
    answers.get('xyz')?.([])
    expect(await screen.findByText(/لا نتائج/)).toBeTruthy()
  })
})

async function mapAt(start: Coordinates | null) {
  const moves: [lat: number, lng: number, key: string][] = []
  let map: LeafletMap | undefined
  let setPoint: (point: Coordinates) => void = () => undefined
  function Picker() {
    const [point, choose] = useState(start)
    setPoint = choose
    return (
      <PickerMap
        point={point}
        areaId={null}
        tileUrl={null}
        zoomChosen={15}
        onPick={() => undefined}
        onMove={({ lat, lng }, key) => moves.push([lat, lng, key])}
        onReady={(ready) => {
          map = ready
        }}
        onTilesFailed={() => undefined}
      />
    )
  }
  await renderIn(
    'ar',
    <QueryClientProvider client={createQueries(fetchKey)}>
      <Picker />
    </QueryClientProvider>,
  )
  if (!map) throw new Error('The map is not there')
  return { map, container: map.getContainer(), moves, setPoint: (point: Coordinates) => setPoint(point) }
}

describe('the map', () => {
  it('opens at the default centre without a point, and closer with one', async () => {
    const { map } = await mapAt(null)
    expect([map.getZoom(), map.getCenter()]).toEqual([11, expect.objectContaining(startCentre)])
    cleanup()
    const chosen = await mapAt(seef)
    expect([chosen.map.getZoom(), chosen.map.getCenter()]).toEqual([15, expect.objectContaining(seef)])
  })

  it('moves the pin by arrow keys, further with Shift, and sets it with Enter', async () => {
    const { container, moves } = await mapAt(seef)
    expect(container.tabIndex).toBe(0)
    fireEvent.keyDown(container, { key: 'ArrowUp' })
    fireEvent.keyDown(container, { key: 'ArrowRight', shiftKey: true })
    fireEvent.keyDown(container, { key: 'Tab' })
    const [[north = 0, same] = [], [level, east = 0] = []] = moves
    expect(moves).toHaveLength(2)
    expect(same).toBe(seef.lng)
    expect(level).toBeCloseTo(seef.lat, 4)
    expect(north).toBeGreaterThan(seef.lat)
    expect(east - seef.lng).toBeGreaterThan(4 * (north - seef.lat))
    cleanup()
    const blank = await mapAt(null)
    fireEvent.keyDown(blank.container, { key: 'Enter' })
    expect(blank.moves).toHaveLength(1)
  })

  it('shows place names in the language of the page', async () => {
    await mapAt(null)
    expect(screen.getByText('المنامة')).toBeTruthy()
    expect(screen.queryByText('Manama')).toBeNull()
  })

  it('shows no name that another one covers', async () => {
    const { map } = await mapAt(null)
    expect(screen.getByText('البديع')).toBeTruthy()
    act(() => {
      map.setZoom(9, { animate: false })
    })
    expect(screen.getByText('المنامة')).toBeTruthy()
    expect(screen.queryByText('البديع')).toBeNull()
  })

  it('moves a chosen point from below the search into view', async () => {
    const { map, container, setPoint } = await mapAt(seef)
    Object.defineProperties(container, { clientWidth: { value: 360 }, clientHeight: { value: 300 } })
    map.invalidateSize({ animate: false })
    const higher = map.containerPointToLatLng([180, 125])
    act(() => setPoint(higher))
    expect(map.latLngToContainerPoint(higher).y).toBeCloseTo(125, 0)
    const covered = map.containerPointToLatLng([180, 60])
    act(() => setPoint(covered))
    expect(map.latLngToContainerPoint(covered).y).toBeCloseTo(150, 0)
  })
})

describe('static drawing', () => {
  it('projects points as the map does', async () => {
    const { map } = await mapAt(seef)
    const { x, y } = map.project([26.3, 50.6], 15).subtract(map.project([seef.lat, seef.lng], 15))
    expect(pathOf([[[50.6, 26.3]]], { centre: seef, zoom: 15 })).toBe(`M${Math.round(x)} ${Math.round(y)}`)
  })
})
