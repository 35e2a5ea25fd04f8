import { type AreaSummary, findAreaAt } from '@qatra/contract/places/areas'
import { type Coordinates, roundPoint } from '@qatra/contract/places/geo'
import type { Place } from '@qatra/contract/places/geocode'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { chooseArea } from '../app/choose-area.ts'
import { CallError, call } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { locate } from '../map/locate.ts'
import { LocateIcon } from '../ui/icons.tsx'

type Problem = 'denied' | 'unavailable' | 'outside' | 'failed'

/** Chooses an area, or that of a point; the point is only sent for this and stored nowhere. */
export function useAreaChoice(onChosen: () => void, chooseFor?: (at: AreaSummary | Place) => void) {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function choose(area: AreaSummary) {
    if (chooseFor) return chooseFor(area)
    setProblem(null)
    try {
      if (await chooseArea(queries, area)) onChosen()
    } catch {
      setProblem('failed')
    }
  }
  async function chooseAt(place: Coordinates | Place) {
    if (chooseFor && 'address' in place) return chooseFor(place)
    const { lat, lng } = place
    setBusy(true)
    setProblem(null)
    try {
      await choose(await call(findAreaAt, { query: { lat: lat.toFixed(5), lng: lng.toFixed(5) } }))
    } catch (error) {
      setProblem(error instanceof CallError && error.code === 'AREA_NOT_FOUND' ? 'outside' : 'failed')
    } finally {
      setBusy(false)
    }
  }
  async function chooseHere() {
    setBusy(true)
    setProblem(null)
    const found = await locate(navigator.geolocation)
    if ('point' in found) return chooseAt(roundPoint(found.point, 5))
    setBusy(false)
    setProblem(found.problem === 'denied' ? 'denied' : 'unavailable')
  }
  return { isBusy, problem, choose, chooseAt, chooseHere }
}

/** "My location", and why an area could not be chosen. */
export function LocateRow({
  isBusy,
  problem,
  chooseHere,
}: Omit<ReturnType<typeof useAreaChoice>, 'choose' | 'chooseAt'>) {
  const t = useT()
  return (
    <>
      <button
        type="button"
        aria-busy={isBusy || undefined}
        onClick={isBusy ? undefined : () => void chooseHere()}
        className="mt-1.5 flex min-h-14 w-full items-center gap-3 rounded-m text-start hover:bg-well"
      >
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-aqua-soft text-aqua-ink">
          <LocateIcon size={20} aria-hidden="true" />
        </span>
        <span className="leading-normal">
          <b className="block text-aqua-ink">{isBusy ? t('area.locating') : t('area.locate')}</b>
          <span className="text-label text-ink-3">{t('area.locateHint')}</span>
        </span>
      </button>
      <p role="alert" className={problem ? 'pb-1 text-label text-clay' : 'hidden'}>
        {problem && t(`area.problem.${problem}`)}
      </p>
    </>
  )
}
