import { useQueryClient } from '@tanstack/react-query'
import { signOut } from '../app/session/session.ts'

/** Ends the session and goes to the shop, which is another document. */
export function useLeaveAdmin() {
  const queries = useQueryClient()
  return async () => {
    // Offline no other document can load; the admin area shows a notice and leaves once the session has ended.
    if (await signOut(queries)) location.assign('/')
  }
}
