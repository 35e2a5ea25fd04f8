import { getWhatsappSetup, type WhatsappSetup } from '@qatra/contract/whatsapp/connection/setup'
import { useQueryClient } from '@tanstack/react-query'
import { type CallError, detailsOf, read } from '../../../lib/api-client.ts'
import { type Translate, useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { toast } from '../../../ui/Toast.tsx'
import { renewConnection } from '../inbox/follow-messages.ts'

export const setupQuery = () => read(getWhatsappSetup)

const errorText = (t: Translate, error: CallError): string => {
  const { code } = error
  if (code === 'OFFLINE') return t('admin.form.error.OFFLINE')
  if (code === 'TEMPLATES_NOT_SYNCED') return t('whatsappSetup.templates.notSynced')
  if (code !== 'META_REFUSED') return t('whatsappSetup.failed')
  const { reason } = detailsOf(error, code)
  return reason ? `${t('whatsappSetup.problem.META_REFUSED')} ${reason}` : t('whatsappSetup.metaSilent')
}

/** Actions of the set-up page; each answers with the new state. */
export function useSetupAction() {
  const t = useT()
  const queries = useQueryClient()
  const { run, ...action } = useAction((error) => errorText(t, error))
  return {
    ...action,
    run: (work: () => Promise<WhatsappSetup>, done?: string) =>
      run(async () => {
        queries.setQueryData(setupQuery().queryKey, await work())
        void renewConnection(queries)
        if (done) toast({ title: done })
      }),
  }
}
