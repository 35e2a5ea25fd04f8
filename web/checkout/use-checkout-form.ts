import type { User } from '@qatra/contract/auth'
import { type Coordinates, formatCoordinates, isChosen } from '@qatra/contract/geo'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useChosenArea } from '../app/delivery-area.ts'
import { useT } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { useUser } from '../app/session.ts'
import { useFormState } from '../lib/use-form.ts'
import type { ChosenBy } from '../map/MapPicker.tsx'
import { composeAddress, type PartName } from './address.ts'
import { useCoverage } from './coverage.ts'
import { type CheckoutDraft, readDraft, saveDraft } from './draft.ts'
import { type CheckoutForm, type FieldName, type Problems, problemsOf, startForm } from './form.ts'
import { useBlockHint } from './use-block-hint.ts'
import { usePlaceAt } from './use-place-at.ts'

/** From the list of areas or a search, the pin is not precise enough to know its block. */
type PinSetBy = ChosenBy | 'list'

/** Values of the form, coverage and address of the location, and validation errors. */
export function useCheckoutForm(vendorId: number | null) {
  const t = useT()
  const nameIn = useNameIn()
  const user = useUser()
  const chosenArea = useChosenArea()
  const state = useFormState<CheckoutForm, FieldName>(() => startForm(user, chosenArea))
  const { values: form, setValues: setForm, errors: problems, setErrors: setProblems, set } = state
  /** Parts typed by hand are kept when the pin moves. */
  const typed = useRef(new Set<PartName>())
  /** How the pin was set here, and the block of a search result; null for the pin of the profile or the draft. */
  const [chosen, setChosen] = useState<{ by: PinSetBy; block: number | null } | null>(null)
  const { coverage, retry } = useCoverage(form.point, vendorId)
  const { address: found, block: blockAtPin } = usePlaceAt(form.point)
  const isExact = chosen?.by === 'map' || chosen?.by === 'location'
  const block = chosen?.block ?? (isExact ? blockAtPin : null)
  const area = 'area' in coverage ? coverage.area : null
  const place = area ? nameIn(area) : (found ?? (form.point ? formatCoordinates(form.point) : ''))
  useDraft(user, form, typed.current, (draft) => {
    typed.current = new Set(draft.typed)
    // An older version of the page stored no day.
    setForm({ ...draft.form, deliveryDate: draft.form.deliveryDate ?? null })
  })
  const address = form.ownAddress ?? composeAddress(t, place, form.parts)

  useOtherArea(area?.id ?? null, () => set(({ parts }) => ({ parts: keepTyped(parts, typed.current, block) })))
  useFilledBlock(block, (next, before) => {
    if (typed.current.has('block')) return
    set(({ parts }) => ({ parts: next || parts.block === before ? { ...parts, block: next } : parts }), 'block')
  })

  return {
    form,
    problems,
    coverage,
    retry,
    address,
    /** Points out an unusual block. */
    blockHint: useBlockHint(form.parts.block, area, block),
    /** @param foundBlock of a search result that is an imported block */
    setPoint(point: Coordinates, by: PinSetBy, foundBlock: number | null = null) {
      setChosen({ by, block: foundBlock })
      set({ point: isChosen(point) ? point : null }, 'map')
    },
    setPart(name: PartName, text: string) {
      typed.current.add(name)
      set(({ parts }) => ({ parts: { ...parts, [name]: text } }), name)
    },
    setText: (name: 'instructions' | 'customerName', text: string) => set({ [name]: text }),
    /** Null returns to the promised day. */
    setDay: (deliveryDate: string | null) => set({ deliveryDate }),
    /** Null returns to the address parts. */
    setOwnAddress: (text: string | null) => set({ ownAddress: text }, 'address'),
    setProblems,
    check(): Problems {
      const wrong = problemsOf(form, address, t)
      setProblems(wrong)
      return wrong
    },
  }
}

/** Stores the draft and restores it after hydration; the server renders the form without it. */
function useDraft(
  user: User | null,
  form: CheckoutForm,
  typed: ReadonlySet<PartName>,
  restore: (draft: CheckoutDraft) => void,
) {
  const first = useRef(form)
  const userId = user === null || user.impersonatedBy ? null : user.id
  const restoreSaved = useEffectEvent((id: number) => {
    const draft = readDraft(id)
    if (draft) restore(draft)
  })
  const keep = useEffectEvent((id: number) => saveDraft(id, { form, typed: [...typed] }))
  useEffect(() => {
    if (userId !== null) restoreSaved(userId)
  }, [userId])
  useEffect(() => {
    if (userId !== null && form !== first.current) keep(userId)
  }, [userId, form])
}

function keepTyped(
  parts: CheckoutForm['parts'],
  typed: ReadonlySet<PartName>,
  block: number | null,
): CheckoutForm['parts'] {
  const typedPart = (name: PartName) => (typed.has(name) ? parts[name] : '')
  return {
    block: typed.has('block') ? parts.block : textOf(block),
    road: typedPart('road'),
    building: typedPart('building'),
    flat: typedPart('flat'),
  }
}

const textOf = (block: number | null) => (block === null ? '' : String(block))

/** Runs `onOther` with the pin's block and the one before, when it becomes another; empty texts if none is known. */
function useFilledBlock(block: number | null, onOther: (next: string, before: string) => void) {
  const latest = useRef(block)
  const fill = useEffectEvent((next: number | null) => {
    const before = latest.current
    latest.current = next
    if (next !== before) onOther(textOf(next), textOf(before))
  })
  useEffect(() => fill(block), [block])
}

/** Runs `onOther` when the pin moved to another area. */
function useOtherArea(areaId: number | null, onOther: () => void) {
  const latest = useRef(areaId)
  useEffect(() => {
    const before = latest.current
    if (areaId === null) return
    latest.current = areaId
    if (before !== null && before !== areaId) onOther()
  })
}

export type CheckoutFormState = ReturnType<typeof useCheckoutForm>
