import type { SavedAddress } from '@qatra/contract/users/addresses'
import type { ReactNode } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { HouseIcon, type Icon, PinIcon, PlusIcon } from '../ui/icons.tsx'

interface AddressChoiceProps {
  book: readonly SavedAddress[]
  chosenId: number | null
  /** Null: a new address. */
  onChoose(saved: SavedAddress | null): void
}

/** The saved addresses and a new one; without saved ones nothing. */
export function AddressChoice({ book, chosenId, onChoose }: AddressChoiceProps) {
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
      {isSaved && <p className="mt-1.5 text-label text-ink-3">{t('checkout.book.saves')}</p>}
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
