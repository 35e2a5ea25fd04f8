import type { Output } from '@qatra/contract/endpoint'
import { linkTelegram } from '@qatra/contract/telegram'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { telegramStatus } from './status.ts'

export type LinkCode = Output<typeof linkTelegram>

/** Requests a code for the user; the previous code becomes invalid. */
export function useRequestCode(onCode: (code: LinkCode) => void) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction(({ code }) => {
    if (code === 'TELEGRAM_OFF') return void queries.invalidateQueries({ queryKey: telegramStatus().queryKey })
    if (code === 'IMPERSONATING') return t('telegramPage.others')
    return t(code === 'OFFLINE' ? 'telegramPage.offline' : 'telegramPage.failed')
  })
  const requestCode = () => run(async () => onCode(await call(linkTelegram, {})))
  return { requestCode, busy, problem }
}
