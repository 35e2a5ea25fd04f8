import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useT } from '../../lib/language/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { signOut } from './session.ts'

/** Ends the session, confirms, and opens the shop. The text differs if more than the session was ended. */
export function useSignOut() {
  const t = useT()
  const router = useRouter()
  const queries = useQueryClient()
  return async (message = { title: t('login.loggedOut'), text: t('login.loggedOutSuccess') }) => {
    // Otherwise `PendingSignOut` shows a notice.
    if (await signOut(queries)) toast(message)
    await router.navigate({ to: '/' })
    await router.invalidate()
  }
}
