import { type Coordinates, roundPoint } from '@qatra/contract/places/geo'
import { useEffect, useRef } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { useMap } from './layers.tsx'

export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

const steps: Readonly<Record<ArrowKey, [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}
const isArrow = (key: string): key is ArrowKey => Object.hasOwn(steps, key)
const STEP_PX = 12
const FAST_PX = 60

interface MapKeysProps {
  point: Coordinates | null
  onMove(point: Coordinates, key: ArrowKey | 'Enter'): void
}

/** Keyboard control: arrows move the pin, Shift moves further, + and − zoom, Enter sets the pin at the centre. */
export function MapKeys({ point, onMove }: MapKeysProps) {
  const map = useMap()
  const t = useT()
  const latest = useRef({ point, onMove })
  latest.current = { point, onMove }

  useEffect(() => {
    const container = map.getContainer()
    container.tabIndex = 0
    container.setAttribute('role', 'application')
    container.setAttribute('aria-label', t('map.label'))
    container.setAttribute('aria-describedby', 'map-keys')
  }, [map, t])

  useEffect(() => {
    const container = map.getContainer()
    function onKey(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const { point, onMove } = latest.current
      const from = point ? map.latLngToContainerPoint([point.lat, point.lng]) : map.getSize().divideBy(2)
      const { key } = event
      if (key === '+' || key === '=') map.zoomIn()
      else if (key === '-') map.zoomOut()
      else if (key === 'Enter' || isArrow(key)) {
        const [x, y] = key === 'Enter' ? [0, 0] : steps[key]
        const far = event.shiftKey ? FAST_PX : STEP_PX
        const { lat, lng } = map.containerPointToLatLng(from.add([x * far, y * far]))
        onMove(roundPoint({ lat, lng }, 5), key)
      } else return
      event.preventDefault()
    }
    container.addEventListener('keydown', onKey)
    return () => container.removeEventListener('keydown', onKey)
  }, [map])
  return null
}
