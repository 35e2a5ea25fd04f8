import { daysUntil, slotWords } from '@qatra/contract/calendar/slot'
import { type AreaSummary, listAreas } from '@qatra/contract/places/areas'
import type { Place } from '@qatra/contract/places/geocode'
import { type Governorate, governorateOf, governorates } from '@qatra/contract/places/governorates'
import { getSite } from '@qatra/contract/settings/site'
import { earliestPromise } from '@qatra/contract/vendors/delivery-order'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import { useVendors } from '../catalogue/api.ts'
import { read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { useFoundPlaces } from '../map/use-found-places.ts'
import { Button } from '../ui/Button.tsx'
import { Chip, ChipRow } from '../ui/Chip.tsx'
import { classes } from '../ui/class-names.ts'
import { TextField } from '../ui/Field.tsx'
import { CheckIcon, SearchIcon } from '../ui/icons.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { LocateRow, useAreaChoice } from './area-choice.tsx'
import { searchAreas } from './area-search.ts'

interface AreaSheetProps {
  /** Chooses the place of an address instead of the delivery area. The map beside it has the location. */
  address?: {
    area: AreaSummary | null
    /** Null if there is no cart. */
    vendorId: number | null
    onChoose(at: AreaSummary | Place): void
  }
  onClose(): void
}

/** The areas with search, "my location", and how many vendors deliver to each and when. */
export function AreaSheet({ address, onClose }: AreaSheetProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const deliveryArea = useDeliveryArea()
  const present = address ? address.area : deliveryArea
  const [sought, setSought] = useState('')
  const [governorate, setGovernorate] = useState<Governorate>('capital')
  const id = useId()
  const { data: areas, isError, refetch } = useQuery(read(listAreas))
  const isSearching = sought.trim() !== ''
  const { areas: matching, isOfBlock, isExact } = searchAreas(sought, areas ?? [], { lang, nameOf: nameIn })
  const mayBePlace = isOfBlock || !isExact

  const { choose, chooseAt, ...byLocation } = useAreaChoice(onClose, address?.onChoose)
  const { places, state, askNow } = useFoundPlaces(isSearching && areas && mayBePlace ? sought : '')
  const row = { vendorId: address?.vendorId ?? null, onChoose: choose }
  const rowsOf = (some: readonly AreaSummary[]) => (
    <ul>
      {some.map((area) => (
        <AreaRow key={area.id} {...row} area={area} isChosen={area.id === present?.id} />
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
      hint={!address && t('area.hint')}
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
          {!address && <LocateRow {...byLocation} />}
          {!isSearching && (
            <ChipRow label={t('area.governorates')} className={classes('-mx-4 gap-2 px-4', address && 'mt-3')}>
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
                  <AreaRow {...row} area={present} isChosen />
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
  /** Of the cart at the checkout. */
  vendorId: number | null
  onChoose(area: AreaSummary): Promise<void>
}

function AreaRow({ area, isChosen, vendorId, onChoose }: AreaRowProps) {
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
        <Served area={area} vendorId={vendorId} />
      </button>
    </li>
  )
}

/** How many vendors deliver to the area, and the first day; with a vendor, that it does not. */
function Served({ area, vendorId }: Pick<AreaRowProps, 'area' | 'vendorId'>) {
  const { t, lang } = useLanguage()
  const vendors = useVendors().filter(({ id }) => area.vendorIds.includes(id))
  const { data: site } = useQuery(read(getSite))
  const slot = earliestPromise(vendors)?.slot
  const isTomorrow = slot !== undefined && site !== undefined && daysUntil(slot, site.today) === 1
  if (vendorId !== null)
    return !area.vendorIds.includes(vendorId) && <span className="text-label text-ink-3">{t('area.notServed')}</span>
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
