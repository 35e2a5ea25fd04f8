import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatPhone } from '@qatra/contract/lib/phone'
import { testCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { CallError, call } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { Notice } from '../../../ui/admin/Notice.tsx'
import { Button } from '../../../ui/Button.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { CampaignCost, LeftOut } from '../campaigns/campaign-parts.tsx'
import { languageName, TemplatePreview } from '../templates/TemplatePreview.tsx'
import { contentOf, type Draft, instantOf } from './campaign-draft.ts'
import { usePreview } from './use-preview.ts'

interface CheckStepProps {
  draft: Draft
  template: Template
  second: Template | undefined
  campaign: CampaignDetail | undefined
}

/** Review step: number of recipients, exclusions, schedule, and the message as the first recipients get it. */
export function CheckStep({ draft, template, second, campaign }: CheckStepProps) {
  const { t, lang } = useLanguage()
  const { data, error } = usePreview({ draft, template, campaignId: campaign?.id })
  if (error) {
    const isGone = error instanceof CallError && error.code === 'TEMPLATE_NOT_AVAILABLE'
    return <Problem>{t(isGone ? 'campaigns.error.TEMPLATE_NOT_AVAILABLE' : 'campaigns.people.failed')}</Problem>
  }
  if (!data) return <Skeleton className="h-60" />
  const at = instantOf(draft.at)
  return (
    <div className="grid gap-4">
      <div className="grid gap-3 rounded-m bg-well p-4">
        <div className="grid gap-1">
          <p role="status" className="text-title">
            {t('campaigns.goesTo', { count: data.count })}
          </p>
          <LeftOut exclusions={data.exclusions} />
        </div>
        <DescriptionList
          items={[
            [t('campaigns.name'), <bdi key="name">{draft.name.trim()}</bdi>],
            [
              t('campaigns.step.template'),
              <span key="template">
                <bdi dir="ltr">{template.name}</bdi> ·{' '}
                {second ? t('campaigns.languages.both') : languageName(t, template.language)}
              </span>,
            ],
            [t('campaigns.step.when'), at ? formatDateTime(new Date(at), lang) : t('campaigns.when.now')],
            [
              t('campaigns.lasts'),
              data.count === 0 ? null : t('campaigns.takes', { minutes: Math.round(data.seconds / 60) }),
            ],
            [t('campaigns.cost'), data.count === 0 ? null : <CampaignCost key="cost" cost={data.cost} />],
            [
              t('campaigns.links'),
              draft.hasLinks ? (
                <bdi key="to" dir="ltr">
                  {draft.leadsTo.trim() || '/'}
                </bdi>
              ) : null,
            ],
          ]}
        />
      </div>
      {data.missing.map(({ variable, count }) => (
        <Problem key={variable}>{t('campaigns.missing', { variable, count })}</Problem>
      ))}
      {!data.hasLinkPlace && <Problem>{t('campaigns.noLinkPlace')}</Problem>}
      {data.count === 0 && <Problem>{t('campaigns.error.CAMPAIGN_EMPTY')}</Problem>}
      {data.samples.length > 0 && <TestMessage draft={draft} template={template} samples={data.samples} />}
      {data.samples.length > 0 && (
        <section aria-label={t('campaigns.samples')} className="grid gap-2">
          <h2 className="text-caption text-ink-3">{t('campaigns.samples')}</h2>
          {data.samples.map(({ phone, name, language, values }) => (
            <figure key={phone} className="grid gap-1.5">
              <figcaption className="text-caption text-ink-3">
                <bdi dir={name ? 'auto' : 'ltr'}>{name ?? phone}</bdi>
              </figcaption>
              <TemplatePreview template={language === second?.language ? second : template} values={values} />
            </figure>
          ))}
        </section>
      )}
    </div>
  )
}

const Problem = ({ children }: { children: string }) => (
  <Notice role="alert" tone="problem" icon={WarningIcon}>
    {children}
  </Notice>
)

interface TestMessageProps {
  draft: Draft
  template: Template
  /** Messages of the first recipients: values that only the list has. */
  samples: readonly { language: string; values: Record<string, string> }[]
}

/** Sends the message to the phone of the person at the keyboard. */
function TestMessage({ draft, template, samples }: TestMessageProps) {
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
