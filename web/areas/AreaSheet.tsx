import { daysUntil, slotWords } from '@qatra/contract/calendar/slot'
import { type AreaSummary, findAreaAt, listAreas } from '@qatra/contract/places/areas'
import { roundPoint } from '@qatra/contract/places/geo'
import type { Place } from '@qatra/contract/places/geocode'
import { type Governorate, governorateOf, governorates } from '@qatra/contract/places/governorates'
import { getSite } from '@qatra/contract/settings/site'
import { earliestPromise } from '@qatra/contract/vendors/delivery-order'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { chooseArea } from '../app/choose-area.ts'
import { useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import { useVendors } from '../catalogue/api.ts'
import { CallError, call, read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { locate } from '../map/locate.ts'
import { useFoundPlaces } from '../map/use-found-places.ts'
import { Button } from '../ui/Button.tsx'
import { Chip, ChipRow } from '../ui/Chip.tsx'
import { classes } from '../ui/class-names.ts'
import { TextField } from '../ui/Field.tsx'
import { CheckIcon, LocateIcon, SearchIcon } from '../ui/icons.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { searchAreas } from './area-search.ts'

type Problem = 'denied' | 'unavailable' | 'outside' | 'failed'

/** The areas with search, "my location", and how many vendors deliver to each and when. */
export function AreaSheet({ onClose }: { onClose(): void }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const present = useDeliveryArea()
  const [sought, setSought] = useState('')
  const [governorate, setGovernorate] = useState<Governorate>('capital')
  const id = useId()
  const { data: areas, isError, refetch } = useQuery(read(listAreas))
  const isSearching = sought.trim() !== ''
  const { areas: matching, isOfBlock, isExact } = searchAreas(sought, areas ?? [], { lang, nameOf: nameIn })
  const mayBePlace = isOfBlock || !isExact

  const { choose, chooseAt, ...byLocation } = useChoice(onClose)
  const { places, state, askNow } = useFoundPlaces(isSearching && areas && mayBePlace ? sought : '')
  const rowsOf = (some: readonly AreaSummary[]) => (
    <ul>
      {some.map((area) => (
        <AreaRow key={area.id} area={area} isChosen={area.id === present?.id} onChoose={choose} />
      ))}
    </ul>
  )
  const headingOf = (governorate: Governorate) => `${id}-${governorate}`
  function show(one: Governorate) {
    setGovernorate(one)
    const heading = document.getElementById(headingOf(one))
    heading?.scrollIntoView({ block: 'start', behavior: 'smooth' })
    heading?.focus({ preventScroll: true })
  }

  return (
    <Sheet
      title={t('area.title')}
      hint={t('area.hint')}
      closeLabel={t('area.close')}
      onClose={onClose}
      head={
        <>
          <TextField
            label={t('area.search')}
            labelHidden
            placeholder={t('area.search')}
            type="search"
            autoComplete="off"
            enterKeyHint="go"
            maxLength={100}
            className="mt-2"
            value={sought}
            onChange={({ currentTarget }) => setSought(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              const [first] = isSearching ? matching : []
              const [place] = places
              // The block itself, if it was imported; several areas of its hundred, or of similar names, are not chosen among.
              if (isOfBlock && place) void chooseAt(place)
              else if (first && (!mayBePlace || matching.length === 1)) void choose(first)
              else if (place) void chooseAt(place)
              else askNow()
            }}
            icon={<SearchIcon size={20} aria-hidden="true" className="text-ink-3" />}
          />
          <LocateRow {...byLocation} />
          {!isSearching && (
            <ChipRow label={t('area.governorates')} className="-mx-4 gap-2 px-4">
              {governorates.map((one) => (
                <Chip key={one} chosen={one === governorate} onClick={() => show(one)}>
                  {t(`area.governorate.${one}`)}
                </Chip>
              ))}
            </ChipRow>
          )}
        </>
      }
    >
      <>
        {!areas && !isError && <Skeleton className="mt-4 h-80" />}
        {isError && (
          <Button className="mt-4" onClick={() => void refetch()}>
            {t('area.retry')}
          </Button>
        )}
        {isSearching && areas && (matching.length === 0 || (mayBePlace && places.length > 0)) && (
          <FoundPlaces places={places} state={state} onChoose={(place) => void chooseAt(place)} />
        )}
        {isSearching && mayBePlace && matching.length > 0 && (
          <h3 className="pt-4 pb-1 text-label font-strong text-ink-3">{t(isOfBlock ? 'area.ofBlock' : 'area.near')}</h3>
        )}
        {isSearching && matching.length > 0 && rowsOf(matching)}
        {!isSearching && areas && (
          <>
            {present && (
              <Group title={t('area.before')}>
                <ul>
                  <AreaRow area={present} isChosen onChoose={choose} />
                </ul>
              </Group>
            )}
            {governorates.map((one) => (
              <Group
                key={one}
                id={headingOf(one)}
                title={t('area.governorateOf', { name: t(`area.governorate.${one}`) })}
              >
                {rowsOf(matching.filter((area) => governorateOf(area, areas) === one))}
              </Group>
            ))}
          </>
        )}
      </>
    </Sheet>
  )
}

function Group({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section>
      <h3 id={id} tabIndex={-1} className="pt-4 pb-1 text-label font-strong text-ink-3 outline-none">
        {title}
      </h3>
      {children}
    </section>
  )
}

interface AreaRowProps {
  area: AreaSummary
  isChosen: boolean
  onChoose(area: AreaSummary): Promise<void>
}

function AreaRow({ area, isChosen, onChoose }: AreaRowProps) {
  const nameIn = useNameIn()
  return (
    <li className={isChosen ? '' : 'border-b border-line'}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => void onChoose(area)}
        className={classes(
          'flex min-h-13 w-full items-center gap-2.5 text-start',
          isChosen
            ? '-mx-4 w-[calc(100%+2rem)] border-s-3 border-gulf bg-gulf-soft ps-[13px] pe-4'
            : 'hover:bg-well focus-visible:-outline-offset-2',
        )}
      >
        {isChosen && <CheckIcon size={20} aria-hidden="true" />}
        <span className={classes('min-w-0 flex-1', isChosen && 'font-strong')}>{nameIn(area)}</span>
        <Served area={area} />
      </button>
    </li>
  )
}

/** How many vendors deliver to the area, and the first day. */
function Served({ area }: { area: AreaSummary }) {
  const { t, lang } = useLanguage()
  const vendors = useVendors().filter(({ id }) => area.vendorIds.includes(id))
  const { data: site } = useQuery(read(getSite))
  const slot = earliestPromise(vendors)?.slot
  const isTomorrow = slot !== undefined && site !== undefined && daysUntil(slot, site.today) === 1
  return (
    <span className="dots text-label text-ink-3">
      <span>{t('area.count', { count: vendors.length })}</span>{' '}
      {slot && <span>{isTomorrow ? t('area.tomorrow') : slotWords(slot, lang, 'short')}</span>}
    </span>
  )
}

interface FoundPlacesProps {
  places: readonly Place[]
  state: ReturnType<typeof useFoundPlaces>['state']
  onChoose(place: Place): void
}

/** Places of the geocoder, such as a block, for a text that is no area's name. */
function FoundPlaces({ places, state, onChoose }: FoundPlacesProps) {
  const t = useT()
  return (
    <>
      <ul>
        {places.map((place) => (
          <li key={`${place.lat},${place.lng},${place.address}`} className="border-b border-line">
            <button
              type="button"
              onClick={() => onChoose(place)}
              className="min-h-13 w-full text-start hover:bg-well focus-visible:-outline-offset-2"
            >
              <bdi dir="auto">{place.display_name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="py-3 text-ink-2">
        {(state === 'none' || state === 'resting') && t('area.none')}
        {state === 'asking' && t('area.searching')}
        {state === 'failed' && t('area.failed')}
      </p>
    </>
  )
}

/** Chooses an area, or that of a point; the point is only sent for this and stored nowhere. */
function useChoice(onChosen: () => void) {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function choose(area: AreaSummary) {
    setProblem(null)
    try {
      if (await chooseArea(queries, area)) onChosen()
    } catch {
      setProblem('failed')
    }
  }
  async function chooseAt({ lat, lng }: { lat: number; lng: number }) {
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

function LocateRow({ isBusy, problem, chooseHere }: Omit<ReturnType<typeof useChoice>, 'choose' | 'chooseAt'>) {
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
