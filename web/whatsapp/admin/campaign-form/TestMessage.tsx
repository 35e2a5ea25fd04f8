import { formatPhone } from '@qatra/contract/lib/phone'
import { testCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { contentOf, type Draft } from './campaign-draft.ts'

interface TestMessageProps {
  draft: Draft
  template: Template
  /** Messages of the first recipients: values that only the list has. */
  samples: readonly { language: string; values: Record<string, string> }[]
}

/** Sends the message to the phone of the person at the keyboard. */
export function TestMessage({ draft, template, samples }: TestMessageProps) {
  const t = useT()
  const { busy, run } = useAction((error) => {
    toast({ title: refusalText(t, error, 'campaigns', 'campaigns.test') })
  })
  function send() {
    const { templateName, language, globalVariables, secondLanguage, secondVariables, hasLinks } = contentOf(
      draft,
      template,
    )
    const valuesIn = (code: string | null | undefined, own: Record<string, string> | null | undefined) => ({
      ...samples.find((one) => one.language === code)?.values,
      ...own,
    })
    return run(async () => {
      const { phone } = await call(testCampaign, {
        body: {
          templateName,
          language,
          globalVariables: valuesIn(language, globalVariables),
          secondLanguage,
          secondVariables: secondLanguage ? valuesIn(secondLanguage, secondVariables) : null,
          hasLinks,
        },
      })
      toast({ title: t('campaigns.test.sent', { phone: formatPhone(phone) }) })
    })
  }
  return (
    <div className="grid justify-items-start gap-1.5">
      <Button busy={busy} onClick={() => void send()}>
        {t('campaigns.test')}
      </Button>
      <p className="text-ink-3">{t('campaigns.test.hint')}</p>
    </div>
  )
}
