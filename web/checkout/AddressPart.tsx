import { isApproximate } from '@qatra/contract/places/pin'
import { composeAddress } from '@qatra/contract/users/address-parts'
import type { SavedAddress } from '@qatra/contract/users/addresses'
import { type ReactNode, useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { HouseIcon, type Icon, NoteIcon, PinIcon, PlusIcon, UserIcon } from '../ui/icons.tsx'
import { AddressMap, PlaceFields } from './AddressFields.tsx'
import { addressFieldNames, missingIn } from './address-form.ts'
import { FoldedRow, useFold } from './parts.tsx'
import type { CheckoutFormState } from './use-checkout-form.ts'

interface AddressPartProps {
  state: CheckoutFormState
  vendorId: number | null
  /** What is said of the place. */
  children: ReactNode
}

/**
 * Where the order goes: a saved address as a card, whose fields open on request and where one of them is wrong or missing.
 * The map is shown for a new address, and until the approximate pin of a saved one was asked about.
 */
export function AddressPart({ state, vendorId, children }: AddressPartProps) {
  const t = useT()
  const { form, book, place, problems } = state
  const saved = book.find(({ id }) => id === form.addressId)
  const [isChoosing, setChoosing] = useState(false)
  const isKnown = form.point === null || place.isInArea
  const isIncomplete = isKnown && Object.keys(missingIn(form, place.isInArea, t)).length > 0
  const fields = useFold(isIncomplete || addressFieldNames.some((name) => problems[name]))
  const isRough = saved !== undefined && isApproximate(saved.pinSource)
  const onConfirm = form.isPinAsked ? undefined : place.confirmPin
  const isOpen = !saved || fields.isOpen
  return (
    <>
      {saved && !isChoosing ? (
        <AddressCard
          state={state}
          saved={saved}
          onChange={() => setChoosing(true)}
          onEdit={isOpen ? undefined : fields.open}
        />
      ) : (
        <AddressChoice
          book={book}
          chosenId={form.addressId}
          onChoose={(chosen) => {
            fields.close()
            place.fill(chosen)
          }}
        >
          {saved && !isOpen && (
            <button type="button" onClick={fields.open} className="min-h-tap font-strong text-aqua-ink hover:underline">
              {t('checkout.book.edit')}
            </button>
          )}
        </AddressChoice>
      )}
      {saved && isOpen && <p className="mb-3 text-label text-ink-3">{t('checkout.book.saves')}</p>}
      {isOpen ? (
        <PlaceFields state={place} vendorId={vendorId} onConfirm={onConfirm} notice={children} />
      ) : (
        <>
          {isRough &&
            (form.isPinAsked ? (
              <p className="mt-2 flex flex-wrap items-center gap-x-3 text-label text-ink-2">
                {t('map.approximate')}
                <button type="button" onClick={fields.open} className="min-h-tap font-strong text-aqua-ink underline">
                  {t('map.move')}
                </button>
              </p>
            ) : (
              <div id="checkout-map" className="mt-3">
                <AddressMap state={place} onConfirm={onConfirm} />
              </div>
            ))}
          {/* That the vendor delivers is said by the button. */}
          {place.coverage.state !== 'delivers' && children}
        </>
      )}
    </>
  )
}

interface AddressCardProps {
  state: CheckoutFormState
  saved: SavedAddress
  onChange(): void
  /** Not while the fields are open. */
  onEdit: (() => void) | undefined
}

function AddressCard({ state: { form, place }, saved, onChange, onEdit }: AddressCardProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { ownAddress, instructions, receiver } = form
  const { block, ...door } = form.parts
  const area = place.area ? nameIn(place.area) : ''
  const isPlain = ownAddress !== null || !area
  const name = saved.label ?? (isPlain ? area : composeAddress(t, area, { block }))
  const rest = isPlain
    ? (ownAddress ?? saved.address)
    : composeAddress(t, saved.label ? area : '', saved.label ? form.parts : door)
  return (
    <div className="divide-y divide-line">
      <FoldedRow
        icon={saved.isDefault ? HouseIcon : PinIcon}
        action={t('checkout.changePlace')}
        about={t('checkout.where')}
        onOpen={onChange}
      >
        {name && (
          <bdi dir="auto" className="block font-strong wrap-anywhere">
            {name}
          </bdi>
        )}
        <span dir="auto" className="text-as-page block text-label wrap-anywhere text-ink-2">
          {rest}
        </span>
      </FoldedRow>
      {onEdit && (
        <FoldedRow
          icon={NoteIcon}
          action={t(instructions ? 'checkout.edit' : 'checkout.add')}
          about={t('checkout.instructions')}
          onOpen={onEdit}
        >
          <span dir="auto" className="text-as-page line-clamp-3 text-label wrap-anywhere text-ink-2">
            {instructions || t('checkout.instructions')}
          </span>
        </FoldedRow>
      )}
      {onEdit && receiver && (
        <FoldedRow icon={UserIcon} action={t('checkout.edit')} about={t('checkout.receiver')} onOpen={onEdit}>
          <span className="text-label text-ink-2">
            {t('checkout.receiver')}: <bdi>{receiver.name}</bdi> {receiver.phone && <Phone phone={receiver.phone} />}
          </span>
        </FoldedRow>
      )}
    </div>
  )
}

interface AddressChoiceProps {
  book: readonly SavedAddress[]
  chosenId: number | null
  /** Null: a new address. */
  onChoose(saved: SavedAddress | null): void
  children: ReactNode
}

/** The saved addresses and a new one; without saved ones nothing. `children` are below it. */
function AddressChoice({ book, chosenId, onChoose, children }: AddressChoiceProps) {
  const t = useT()
  if (book.length === 0) return null
  const isSaved = book.some(({ id }) => id === chosenId)
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 text-label font-strong">{t('checkout.book')}</legend>
      <div className="grid gap-2 md:grid-cols-2">
        {book.map((saved) => (
          <Row
            key={saved.id}
            icon={saved.isDefault ? HouseIcon : PinIcon}
            isChosen={saved.id === chosenId}
            onChoose={() => onChoose(saved)}
          >
            {saved.label && <bdi className="block truncate font-strong">{saved.label}</bdi>}
            <span dir="auto" className="line-clamp-2 text-as-page text-label text-ink-2">
              {saved.address}
            </span>
          </Row>
        ))}
        <Row icon={PlusIcon} isChosen={!isSaved} onChoose={() => onChoose(null)}>
          {t('checkout.book.new')}
        </Row>
      </div>
      {children}
    </fieldset>
  )
}

interface RowProps {
  icon: Icon
  isChosen: boolean
  onChoose(): void
  children: ReactNode
}

function Row({ icon: Sign, isChosen, onChoose, children }: RowProps) {
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded-m px-3.5 py-2 inset-ring inset-ring-line-strong hover:bg-well has-checked:bg-gulf-soft has-checked:inset-ring-2 has-checked:inset-ring-gulf has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <Sign size={20} aria-hidden="true" className="flex-none text-gulf" />
      <span className="min-w-0 flex-1">{children}</span>
      <input type="radio" name="addressId" checked={isChosen} onChange={onChoose} className="sr-only" />
    </label>
  )
}
