import type { Lang } from '@qatra/contract/lib/lang'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../../lib/language/i18n.tsx'
import { loadUsedMessages } from '../../lib/language/messages.ts'
import { finishSignOut, hasSignedOutSinceRequest, isSignOutPending } from '../../lib/pending-sign-out.ts'
import { PendingSignOutText } from './PendingSignOut.tsx'

const RETRY_MS = 3_000

/**
 * If the server may have rendered this page for a person who has signed out: hides it, ends a pending session, then
 * reloads. Returns true if the page reloads.
 */
export async function awaitSignOut(root: HTMLElement, lang: Lang): Promise<boolean> {
  if (!isSignOutPending() && !hasSignedOutSinceRequest()) return false
  root.replaceChildren()
  if (!(await finishSignOut())) {
    createRoot(root).render(
      <LanguageProvider i18n={await loadUsedMessages(lang)}>
        <main id="main" role="status">
          <PendingSignOutText className="wrap py-16 text-center" />
        </main>
      </LanguageProvider>,
    )
    while (!(await finishSignOut())) await new Promise((done) => setTimeout(done, RETRY_MS))
  }
  location.reload()
  return true
}
