import type { AreaSummary } from '@qatra/contract/places/areas'
import { blockDoubt } from '@qatra/contract/places/block-hundreds'
import { type Coordinates, formatCoordinates, isChosen } from '@qatra/contract/places/geo'
import { reversePlace } from '@qatra/contract/places/geocode'
import { needsRoad, type PinSource } from '@qatra/contract/places/pin'
import { composeAddress, type PartName, partNames } from '@qatra/contract/users/address-parts'
import type { SavedAddress } from '@qatra/contract/users/addresses'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { call } from '../lib/api-client.ts'
import { useLang, useT } from '../lib/language/i18n.tsx'
import { type ChosenBy, pinSourceOf } from '../map/MapPicker.tsx'
import type { FieldErrors } from '../ui/form/form-errors.ts'
import {
  type AddressFieldName,
  type AddressForm,
  type Audience,
  addressFieldNames,
  emptyAddress,
  formOf,
} from './address-form.ts'
import { useCoverage } from './coverage.ts'

/** From the list of areas or a search, the pin is not precise enough to know its block. */
type PinSetBy = ChosenBy | 'list'
interface PinDetails {
  /** Of a search result that is an imported block. */
  block?: number | null | undefined
  /** Metres, of the device's position. */
  accuracy?: number | undefined
}

/** The state of a form that has the fields of an address among others. */
interface AddressState {
  values: AddressForm
  errors: FieldErrors<AddressFieldName>
  set(
    change: Partial<AddressForm> | ((before: AddressForm) => Partial<AddressForm>),
    ...cleared: AddressFieldName[]
  ): void
}

/** The address of a form: coverage and composed text of its place, and its changes. */
export function useAddressForm(
  { values: form, errors: problems, set }: AddressState,
  { vendorId, audience }: { vendorId: number | null; audience: Audience },
) {
  const t = useT()
  const nameIn = useNameIn()
  const isCustomer = audience === 'customer'
  /** Parts typed by hand are kept when the pin moves. */
  const typed = useRef(new Set<PartName>())
  /** How the pin was set here, and the block of a search result; null for the pin of a saved address or the draft. */
  const [chosen, setChosen] = useState<{ by: PinSetBy; block: number | null } | null>(null)
  const { coverage, retry } = useCoverage(form.point, vendorId)
  const { address: found, block: blockAtPin } = usePlaceAt(isCustomer ? form.point : null)
  const isExact = chosen?.by === 'map' || chosen?.by === 'location'
  const block = isCustomer ? (chosen?.block ?? (isExact ? blockAtPin : null)) : null
  const area = 'area' in coverage ? coverage.area : null
  const unnamed = isCustomer && form.point ? (found ?? formatCoordinates(form.point)) : ''
  const place = area ? nameIn(area) : unnamed
  const address = form.ownAddress ?? composeAddress(t, place, form.parts)

  const forgetArea = useOtherArea(isCustomer && area ? area.id : null, () =>
    set(({ parts }) => ({ parts: keepTyped(parts, typed.current, block) })),
  )
  const forgetBlock = useFilledBlock(block, (next, before) => {
    if (typed.current.has('block')) return
    set(({ parts }) => ({ parts: next || parts.block === before ? { ...parts, block: next } : parts }), 'block')
  })

  return {
    audience,
    form,
    problems,
    coverage,
    area,
    retry,
    address,
    typed,
    isRoadNeeded: needsRoad({ ...form.pin, isInArea: area !== null }),
    isInArea: area !== null,
    /** Points out an unusual block. */
    blockHint: useBlockHint(form.parts.block, area, block),
    setPoint(point: Coordinates | null, by: PinSetBy, { block: foundBlock = null, accuracy }: PinDetails = {}) {
      setChosen({ by, block: foundBlock })
      const cleared = isCustomer ? (['road'] as const) : partNames
      set({ point: isChosen(point) ? point : null, pin: { source: sourceOf[by], accuracy } }, 'map', ...cleared)
    },
    /** The person says that the pin of a saved address is at the door. */
    confirmPin: form.addressId === null || chosen ? undefined : () => set({ pin: { source: 'map' } }, 'road'),
    setPart(name: PartName, text: string) {
      typed.current.add(name)
      set(({ parts }) => ({ parts: { ...parts, [name]: text } }), ...(isCustomer ? [name] : partNames))
    },
    setInstructions: (instructions: string) => set({ instructions }, 'instructions'),
    /** Null: the customer takes the order. */
    setReceiver: (receiver: AddressForm['receiver']) => set({ receiver }, 'receiverName', 'receiverPhone'),
    /** Null returns to the address parts. */
    setOwnAddress: (text: string | null) => set({ ownAddress: text }, 'address'),
    /** Parts of a restored draft that were typed by hand. */
    setTyped(names: readonly PartName[]) {
      typed.current = new Set(names.filter((name) => partNames.includes(name)))
    },
    /** Fills the form from a saved address; null starts a new one. */
    fill(saved: SavedAddress | null) {
      typed.current = new Set()
      forgetArea()
      forgetBlock()
      setChosen(null)
      set(saved ? formOf(saved, saved.id) : emptyAddress, ...addressFieldNames)
    },
  }
}

const sourceOf: Readonly<Record<PinSetBy, PinSource>> = { ...pinSourceOf, list: 'area' }

function keepTyped(
  parts: AddressForm['parts'],
  typed: ReadonlySet<PartName>,
  block: number | null,
): AddressForm['parts'] {
  const typedPart = (name: PartName) => (typed.has(name) ? parts[name] : '')
  return {
    block: typed.has('block') ? parts.block : textOf(block),
    road: typedPart('road'),
    building: typedPart('building'),
    flat: typedPart('flat'),
  }
}

const textOf = (block: number | null) => (block === null ? '' : String(block))

/**
 * Runs `onOther` with the pin's block and the one before, when it becomes another; empty texts if none is known. Returns
 * the way to forget the block before.
 */
function useFilledBlock(block: number | null, onOther: (next: string, before: string) => void): () => void {
  const latest = useRef(block)
  const fill = useEffectEvent((next: number | null) => {
    const before = latest.current
    latest.current = next
    if (next !== before) onOther(textOf(next), textOf(before))
  })
  useEffect(() => fill(block), [block])
  return () => {
    latest.current = null
  }
}

/** Runs `onOther` when the pin moved to another area. Returns the way to forget the area before. */
function useOtherArea(areaId: number | null, onOther: () => void): () => void {
  const latest = useRef(areaId)
  useEffect(() => {
    const before = latest.current
    if (areaId === null) return
    latest.current = areaId
    if (before !== null && before !== areaId) onOther()
  })
  return () => {
    latest.current = null
  }
}

/** Hint below the block field if the number is unusual in the area, or another than the pin's; it is never corrected. */
function useBlockHint(typed: string, area: AreaSummary | null, pinBlock: number | null): string | null {
  const t = useT()
  const nameIn = useNameIn()
  const doubt = blockDoubt(typed, { areaCode: area?.areaId ?? null, pinBlock })
  if (!doubt) return null
  if ('pinBlock' in doubt) return t('checkout.block.pin', { block: String(doubt.pinBlock) })
  return area && t('checkout.block.hundreds', { area: nameIn(area), hundreds: doubt.hundreds.join(' / ') })
}

export type AddressFormState = ReturnType<typeof useAddressForm>

interface PlaceAt {
  /** In the page's language: null while it loads, the coordinates if none is found. */
  address: string | null
  /** The imported block that covers the point. */
  block: number | null
}

function usePlaceAt(point: Coordinates | null): PlaceAt {
  const lang = useLang()
  const at = point ?? { lat: 0, lng: 0 }
  const query = { lat: at.lat.toFixed(6), lng: at.lng.toFixed(6) }
  const { data, isError } = useQuery({
    queryKey: [reversePlace.path, { query }, lang],
    queryFn: ({ signal }) => call(reversePlace, { query }, { signal }),
    enabled: point !== null,
  })
  if (!point) return { address: null, block: null }
  const [place] = data ?? []
  const isUnknown = isError || data?.length === 0
  return { address: isUnknown ? formatCoordinates(point) : (place?.address ?? null), block: place?.block ?? null }
}
