import { listAddresses, mostAddresses, type SavedAddress } from '@qatra/contract/users/addresses'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useChunk } from '../lib/use-chunk.ts'
import { Phone } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { HouseIcon, PinIcon, PlusIcon } from '../ui/icons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { useAddressActions } from './address-book.ts'

const loadEditor = () => import('./AddressEditor.tsx').then((module) => module.AddressEditor)

/** The saved addresses: add, edit, remove with undo, choose the default. */
export function AddressBook() {
  const t = useT()
  const { data: book, isError, refetch } = useQuery(read(listAddresses))
  const [edited, setEdited] = useState<SavedAddress | 'new' | null>(null)
  const { problem, remove, makeDefault } = useAddressActions()
  const Editor = useChunk(loadEditor, {
    need: edited,
    onError() {
      setEdited(null)
      toast({ title: t('profile.book.error.other'), tone: 'error' })
    },
  })
  return (
    <section aria-labelledby="address-book" className="mt-10 grid gap-3.5 border-t border-line pt-6">
      <div>
        <h2 id="address-book" className="text-heading">
          {t('profile.delivery')}
        </h2>
        <p className="text-label text-ink-3">{t('profile.deliveryHint')}</p>
      </div>
      {isError && !book && (
        <div role="alert" className="grid justify-items-start gap-2 text-clay">
          <p>{t('profile.book.missing')}</p>
          <Button onClick={() => void refetch()}>{t('shell.error.retry')}</Button>
        </div>
      )}
      {!isError && !book && <Skeleton className="h-32" />}
      {book?.length === 0 && <EmptyState as="h3" title={t('profile.book.empty')} text={t('profile.book.emptyText')} />}
      {book && book.length > 0 && (
        <ul className="grid gap-3">
          {book.map((saved) => (
            <Entry
              key={saved.id}
              saved={saved}
              onEdit={() => setEdited(saved)}
              onRemove={() => void remove(saved)}
              onMakeDefault={() => void makeDefault(saved)}
            />
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="text-label text-clay">
          {problem}
        </p>
      )}
      {book && (
        <div>
          <Button
            icon={PlusIcon}
            reason={book.length >= mostAddresses && t('profile.book.error.ADDRESS_BOOK_FULL')}
            onClick={() => setEdited('new')}
          >
            {t('profile.book.add')}
          </Button>
        </div>
      )}
      {Editor && edited && <Editor saved={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </section>
  )
}

interface EntryProps {
  saved: SavedAddress
  onEdit(): void
  onRemove(): void
  onMakeDefault(): void
}

function Entry({ saved, onEdit, onRemove, onMakeDefault }: EntryProps) {
  const t = useT()
  const { label, address, instructions, receiverName, receiverPhone, isDefault } = saved
  const Sign = isDefault ? HouseIcon : PinIcon
  const name = label ?? address ?? t('profile.book.unnamed')
  const action = (text: string, onClick: () => void) => (
    <Button tone="link" aria-label={t('profile.book.about', { action: text, name })} onClick={onClick}>
      {text}
    </Button>
  )
  return (
    <li className="rounded-l px-4 pt-3.5 pb-1.5 inset-ring inset-ring-line">
      <div className="flex gap-3">
        <Sign size={22} aria-hidden="true" className="mt-0.75 flex-none text-gulf" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2">
            {label && <bdi className="min-w-0 font-strong break-words">{label}</bdi>}
            {isDefault && <span className="rounded-s bg-gulf-soft px-2 text-label">{t('profile.book.default')}</span>}
          </div>
          <p dir="auto" className="text-as-page text-pretty break-words">
            {address ?? t('profile.book.unnamed')}
          </p>
          {instructions && (
            <p dir="auto" className="text-as-page text-label break-words whitespace-pre-line text-ink-3">
              {instructions}
            </p>
          )}
          {(receiverName || receiverPhone) && (
            <p className="text-label text-ink-2">
              {t('profile.book.receiver')}: <bdi>{receiverName}</bdi> {receiverPhone && <Phone phone={receiverPhone} />}
            </p>
          )}
        </div>
      </div>
      <div className="-mx-2 mt-1 flex flex-wrap">
        {action(t('profile.book.edit'), onEdit)}
        {!isDefault && action(t('profile.book.makeDefault'), onMakeDefault)}
        {action(t('profile.book.remove'), onRemove)}
      </div>
    </li>
  )
}
