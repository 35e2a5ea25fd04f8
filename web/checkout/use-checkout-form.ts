import type { User } from '@qatra/contract/auth'
import { type Coordinates, formatCoordinates, isChosen } from '@qatra/contract/geo'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { useUser } from '../app/session.ts'
import { useFormState } from '../lib/use-form.ts'
import { blockIn, composeAddress, type PartName } from './address.ts'
import { useCoverage } from './coverage.ts'
import { type CheckoutDraft, readDraft, saveDraft } from './draft.ts'
import { type CheckoutForm, type FieldName, type Problems, problemsOf, startForm } from './form.ts'
import { useAddressOf } from './use-address.ts'

/** Values of the form, coverage and address of the location, and validation errors. */
export function useCheckoutForm(vendorId: number | null) {
  const t = useT()
  const nameIn = useNameIn()
  const user = useUser()
  const state = useFormState<CheckoutForm, FieldName>(() => startForm(user))
  const { values: form, setValues: setForm, errors: problems, setErrors: setProblems, set } = state
  /** Parts typed by hand are kept when the pin moves. */
  const typed = useRef(new Set<PartName>())
  const [isMoved, setMoved] = useState(false)
  const { coverage, retry } = useCoverage(form.point, vendorId)
  const found = useAddressOf(form.point)
  const area = 'area' in coverage ? coverage.area : null
  const place = area ? nameIn(area) : (found ?? (form.point ? formatCoordinates(form.point) : ''))
  useDraft(user, form, typed.current, (draft) => {
    typed.current = new Set(draft.typed)
    const { point } = draft.form
    if (point && (point.lat !== form.point?.lat || point.lng !== form.point.lng)) setMoved(true)
    setForm(draft.form)
  })
  const address = form.ownAddress ?? composeAddress(t, place, form.parts)

  useOtherArea(area?.id ?? null, () => set(({ parts }) => ({ parts: keepTyped(parts, typed.current) })))
  const fillBlock = useEffectEvent((block: string) => set(({ parts }) => ({ parts: { ...parts, block } }), 'block'))
  useEffect(() => {
    const block = isMoved && found && !typed.current.has('block') ? blockIn(t, found) : ''
    if (block) fillBlock(block)
  }, [found, isMoved, t])

  return {
    form,
    problems,
    coverage,
    retry,
    address,
    setPoint(point: Coordinates) {
      setMoved(true)
      set({ point: isChosen(point) ? point : null }, 'map')
    },
    setPart(name: PartName, text: string) {
      typed.current.add(name)
      set(({ parts }) => ({ parts: { ...parts, [name]: text } }), name)
    },
    setText: (name: 'instructions' | 'customerName', text: string) => set({ [name]: text }),
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

function keepTyped(parts: CheckoutForm['parts'], typed: ReadonlySet<PartName>): CheckoutForm['parts'] {
  const typedPart = (name: PartName) => (typed.has(name) ? parts[name] : '')
  return {
    block: typedPart('block'),
    road: typedPart('road'),
    building: typedPart('building'),
    flat: typedPart('flat'),
  }
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
