import { dirOf } from '@qatra/contract/lib/lang'
import { longestAddress, longestInstructions } from '@qatra/contract/lib/text'
import { type PartName, partLengths, partNames } from '@qatra/contract/users/address-parts'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useAreaSheet } from '../areas/AreaLine.tsx'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { MapPicker } from '../map/MapPicker.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { DownIcon } from '../ui/icons.tsx'
import type { AddressFormState } from './use-address-form.ts'

/** Text length from which the character counter is shown. */
const COUNT_FROM = 900
const link = 'text-label font-strong text-aqua-ink hover:underline'

interface AddressFieldsProps {
  state: AddressFormState
  /** Begin of the fields' ids. */
  ids?: string
  className?: string
  /** For staff: the map, closed at first, with what is said below it. */
  map?: { show: string; hide: string; linkClass: string; note?: ReactNode }
  /** Said below the instructions. */
  notesHint?: string
  /** Who receives the order; by default a choice of the customer. */
  receiver?: ReactNode
}

/** Parts or free text of an address, instructions and receiver. */
export function AddressFields({
  state,
  ids = 'checkout',
  className = 'grid gap-3.5',
  map,
  notesHint,
  receiver,
}: AddressFieldsProps) {
  const { t, lang } = useLanguage()
  const [hasMap, setMap] = useState(false)
  const { form, problems, address } = state
  const isCustomer = state.audience === 'customer'
  const isOwn = form.ownAddress !== null
  const isOptional = (name: PartName) => isCustomer && (name === 'flat' || (name === 'road' && !state.isRoadNeeded))
  const instructions = {
    id: `${ids}-instructions`,
    name: 'instructions',
    maxLength: longestInstructions,
    value: form.instructions,
    error: problems.instructions,
  }
  const toggle = (
    <button
      type="button"
      onClick={() => state.setOwnAddress(isOwn ? null : address)}
      className={`${map?.linkClass ?? 'min-h-tap'} ${link}`}
    >
      {isOwn ? t('checkout.address.parts') : t('checkout.address.own')}
    </button>
  )
  return (
    <div className={className}>
      {/* Before the fields: guests of a hotel know no block and building. */}
      {isCustomer && (
        <p className="-my-2 flex flex-wrap items-center gap-x-2 text-label text-ink-3">
          {!isOwn && t('checkout.address.hotel')} {toggle}
        </p>
      )}
      {isOwn ? (
        <TextArea
          id={`${ids}-address`}
          name="address"
          label={t('checkout.address')}
          maxLength={longestAddress}
          {...(isCustomer ? { autoComplete: 'street-address' } : { rows: 2 })}
          value={form.ownAddress ?? ''}
          error={problems.address}
          onChange={({ currentTarget }) => state.setOwnAddress(currentTarget.value)}
        />
      ) : (
        <div
          className={
            isCustomer
              ? 'grid grid-cols-2 items-start gap-x-3 gap-y-3.5'
              : 'grid grid-cols-2 items-start gap-3 sm:grid-cols-4'
          }
        >
          {partNames.map((name) => (
            <TextField
              key={name}
              id={`${ids}-${name}`}
              name={name}
              // Where Enter goes on at the order by phone.
              data-stop={isCustomer || name === 'flat' ? undefined : ''}
              label={isOptional(name) ? <Optional>{t(`checkout.${name}`)}</Optional> : t(`checkout.${name}`)}
              // Text direction of the page: `auto` would align digits to the left.
              dir={dirOf(lang)}
              inputMode={name === 'block' ? 'numeric' : 'text'}
              autoComplete="off"
              maxLength={partLengths[name]}
              value={form.parts[name]}
              error={problems[name]}
              hint={name === 'block' && state.blockHint}
              onChange={({ currentTarget }) => state.setPart(name, currentTarget.value)}
            />
          ))}
        </div>
      )}
      <div className="-my-2 flex flex-wrap items-center gap-x-5 empty:hidden">
        {!isOwn && (isCustomer ? form.point : address) && (
          <p dir="auto" className="min-w-0 flex-1 basis-60 py-1 text-label text-ink-3">
            {address}
          </p>
        )}
        {!isCustomer && toggle}
        {map && (
          <button
            type="button"
            className={`${map.linkClass} ${link}`}
            aria-expanded={hasMap}
            onClick={() => setMap(!hasMap)}
          >
            {hasMap ? map.hide : map.show}
          </button>
        )}
      </div>
      {map && hasMap && <AddressMap state={state} />}
      {map?.note}
      {isCustomer ? (
        <TextArea
          {...instructions}
          rows={2}
          label={<Optional>{t('checkout.instructions')}</Optional>}
          hint={
            form.instructions.length >= COUNT_FROM
              ? t('checkout.charactersLeft', { count: longestInstructions - form.instructions.length })
              : notesHint
          }
          onChange={({ currentTarget }) => state.setInstructions(currentTarget.value)}
        />
      ) : (
        <TextField
          {...instructions}
          label={t('checkout.instructions')}
          autoComplete="off"
          onChange={({ currentTarget }) => state.setInstructions(currentTarget.value)}
        />
      )}
      {receiver === undefined ? <ReceiverChoice state={state} /> : receiver}
    </div>
  )
}

type AddressMapProps = { state: AddressFormState } & Partial<ComponentProps<typeof MapPicker>>

/** The map of an address. */
export const AddressMap = ({ state: { form, area, setPoint }, ...props }: AddressMapProps) => (
  <MapPicker point={form.point} source={form.pin.source} areaId={area?.id ?? null} onChoose={setPoint} {...props} />
)

interface PlaceFieldsProps {
  state: AddressFormState
  vendorId: number | null
  /** For the pin of a saved address: the person says that it is the door. */
  onConfirm: (() => void) | undefined
  /** What is said of the place. */
  notice: ReactNode
}

/** All of an address for a customer: the map, the list of areas and the fields. */
export function PlaceFields({ state, vendorId, onConfirm, notice }: PlaceFieldsProps) {
  const t = useT()
  const problem = state.problems.map
  return (
    <>
      <div>
        <div id="checkout-map" tabIndex={-1} data-invalid={problem ? '' : undefined}>
          <AddressMap state={state} onConfirm={onConfirm} />
        </div>
        <p role="alert" className={problem ? 'pt-1.5 text-label text-clay' : 'hidden'}>
          {problem}
        </p>
        {notice}
      </div>
      <AreaChoice state={state} vendorId={vendorId} />
      <AddressFields state={state} notesHint={t('checkout.instructionsKept')} />
    </>
  )
}

/** Opens the sheet with the areas, as an alternative to the map. */
function AreaChoice({ state, vendorId }: Pick<PlaceFieldsProps, 'state' | 'vendorId'>) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const Sheet = useAreaSheet(isOpen, close)
  return (
    <div className="mb-4">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-busy={isOpen && !Sheet ? true : undefined}
        onClick={() => setOpen(true)}
        className="flex min-h-tap items-center gap-1.5 font-strong text-aqua-ink hover:underline"
      >
        {t('checkout.areas.open')}
        <DownIcon size={18} aria-hidden="true" />
      </button>
      {isOpen && Sheet && (
        <Sheet
          address={{
            area: state.area,
            vendorId,
            onChoose(at) {
              close()
              if ('centre' in at) state.setPoint(at.centre, 'list')
              else state.setPoint({ lat: at.lat, lng: at.lng }, at.isExact ? 'map' : 'search', { block: at.block })
            },
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Whether another person takes the order, and who. */
function ReceiverChoice({ state }: { state: AddressFormState }) {
  const t = useT()
  return (
    <div className="grid gap-3.5">
      <label className="flex min-h-tap cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={state.form.receiver !== null}
          onChange={({ target }) => state.setReceiver(target.checked ? { name: '', phone: '' } : null)}
          className="tick"
        />
        {t('checkout.receiver')}
      </label>
      {state.form.receiver && (
        <ReceiverFields
          state={state}
          ids="checkout"
          labels={[t('checkout.receiver.name'), t('checkout.receiver.phone')]}
          className="grid gap-x-3 gap-y-3.5 md:grid-cols-2"
        />
      )}
    </div>
  )
}

interface ReceiverFieldsProps {
  state: AddressFormState
  ids: string
  labels: readonly [name: string, phone: string]
  className: string
}

/** Name and phone of the person who takes the order. */
export function ReceiverFields({ state, ids, labels, className }: ReceiverFieldsProps) {
  const { form, problems, setReceiver } = state
  const receiver = form.receiver ?? { name: '', phone: '' }
  return (
    <div className={className}>
      <TextField
        id={`${ids}-receiverName`}
        name="receiverName"
        label={labels[0]}
        autoComplete="off"
        maxLength={100}
        value={receiver.name}
        error={problems.receiverName}
        onChange={({ currentTarget }) => setReceiver({ ...receiver, name: currentTarget.value })}
      />
      <TextField
        id={`${ids}-receiverPhone`}
        name="receiverPhone"
        label={labels[1]}
        ltr
        inputMode="tel"
        autoComplete="off"
        maxLength={30}
        value={receiver.phone}
        error={problems.receiverPhone}
        onChange={({ currentTarget }) => setReceiver({ ...receiver, phone: currentTarget.value })}
      />
    </div>
  )
}

function Optional({ children }: { children: string }) {
  const { t } = useLanguage()
  return (
    <>
      {children} <span className="font-regular text-ink-3">({t('ui.optional')})</span>
    </>
  )
}
