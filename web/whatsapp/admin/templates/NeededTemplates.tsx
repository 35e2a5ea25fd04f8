import { type NeededTemplate, submitTemplates, type WhatsappSetup } from '@qatra/contract/whatsapp/connection/setup'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useSetupAction } from '../connection/use-setup-action.ts'
import { languageName } from './TemplatePreview.tsx'
import { RejectedReason, TemplateStatus } from './TemplateStatus.tsx'

const isOpen = ({ status, submission }: NeededTemplate) => status === null && submission !== 'waiting'

/** The templates that the shop sends, with their state at Meta, and the press that submits the missing ones. */
export function NeededTemplates({ setup: { templates, steps } }: { setup: WhatsappSetup }) {
  const t = useT()
  const { busy, problem, run } = useSetupAction()
  const missing = templates.filter(isOpen)
  const failed = templates.filter(({ submission }) => submission === 'failed')
  // Without an account nothing can be submitted.
  const canSubmit = steps.some(({ key, problem: reason }) => key === 'account' && reason !== 'NOT_SET')
  return (
    <div className="mt-2 grid grid-cols-1 gap-2">
      {missing.length > 0 && canSubmit && (
        <p>
          <Button
            size="small"
            tone="gulf"
            busy={busy}
            onClick={() => void run(() => call(submitTemplates, {}), t('whatsappSetup.templates.submitted'))}
          >
            {t('whatsappSetup.templates.submit', { count: missing.length })}
          </Button>
        </p>
      )}
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
      {failed.map(({ name, language, error }) => (
        <p key={`${name} ${language}`} className="text-clay">
          <bdi dir="ltr">{name}</bdi> · {languageName(t, language)}:{' '}
          {error ? <bdi dir="auto">{error}</bdi> : t('whatsappSetup.template.noAnswer')}
        </p>
      ))}
      <details>
        <summary className="cursor-pointer py-1 text-ink-2 max-md:min-h-tap max-md:py-3">
          {t('whatsappSetup.templates.show', { count: templates.length })}
        </summary>
        <ul className="mt-1 grid gap-1.5">
          {templates.map((template) => (
            <li key={`${template.name} ${template.language}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <bdi dir="ltr" className="font-strong">
                {template.name}
              </bdi>
              <span className="text-ink-3">{languageName(t, template.language)}</span>
              <State template={template} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function State({ template: { status, submission, rejectedReason } }: { template: NeededTemplate }) {
  const t = useT()
  if (status === null)
    return <span className="text-ink-2">{t(`whatsappSetup.template.${submission ?? 'missing'}`)}</span>
  return (
    <>
      <TemplateStatus status={status} />
      {rejectedReason && (
        <span className="text-clay">
          <RejectedReason reason={rejectedReason} />
        </span>
      )}
    </>
  )
}
