import {
  changeAddress,
  createAddress,
  listAddresses,
  removeAddress,
  type SavedAddress,
} from '@qatra/contract/users/addresses'
import { useQueryClient } from '@tanstack/react-query'
import { deliveryAreaQuery } from '../app/delivery-area.ts'
import { call } from '../lib/api-client.ts'
import { currentUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useAction } from '../lib/use-action.ts'
import { toast } from '../ui/Toast.tsx'

const UNDO_MS = 8000

/** Refetches what shows an address: the book, the profile and the delivery area. */
export function useBookChanged() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [[listAddresses.path], currentUser().queryKey, deliveryAreaQuery().queryKey].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}

/** Removal with undo, and the choice of the default address. */
export function useAddressActions() {
  const t = useT()
  const changed = useBookChanged()
  const { problem, run } = useAction(({ code }) => {
    void changed()
    return t(code === 'ADDRESS_NOT_FOUND' ? 'profile.book.error.ADDRESS_NOT_FOUND' : 'profile.book.error.other')
  })
  const restoring = useAction(() => toast({ title: t('profile.book.undoFailed'), tone: 'error' }))

  const restore = (body: NonNullable<ReturnType<typeof copyOf>>) =>
    restoring.run(async () => {
      await call(createAddress, { body })
      await changed()
    })
  return {
    problem,
    makeDefault: ({ id }: SavedAddress) =>
      run(async () => {
        await call(changeAddress, { params: { id: String(id) }, body: { isDefault: true } })
        await changed()
      }),
    remove: (saved: SavedAddress) =>
      run(async () => {
        await call(removeAddress, { params: { id: String(saved.id) } })
        const copy = copyOf(saved)
        const undo = copy && { action: { label: t('ui.undo'), onClick: () => void restore(copy) }, duration: UNDO_MS }
        toast({ title: t('profile.book.removed'), ...undo })
        await changed()
      }),
  }
}

/** The fields with which an address is saved again; null if it has no text, which only calls of the API leave out. */
function copyOf({ id: _, areaId: _area, address, ...rest }: SavedAddress) {
  return address === null ? null : { ...rest, address }
}
