import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { deleteTemplate, listTemplates, type Template } from '@qatra/contract/whatsapp/templates/templates'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { type Translate, useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { Notice } from '../../../ui/admin/Notice.tsx'
import { PanelPart, SidePanel } from '../../../ui/admin/SidePanel.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { templateRefusal } from './template-form.ts'
import { languageName, TemplatePreview } from './TemplatePreview.tsx'
import { RejectedReason, rejectionReasons, TemplateStatus, templateStatuses } from './TemplateStatus.tsx'

const qualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

/** Newest changes in the panel. */
const SHOWN_CHANGES = 10

/** States with a hint about what to do or wait for. */
const nextSteps = ['PENDING', 'IN_APPEAL', 'REJECTED', 'PAUSED', 'DISABLED', 'DELETED'] as const
const badQualities = ['YELLOW', 'RED'] as const

export function TemplatePanel({ template, onClose }: { template: Template; onClose(): void }) {
  const { t, lang } = useLanguage()
  const category = categories.find((one) => one === template.category)
  return (
    <SidePanel label={t('templates.one')} title={<bdi dir="ltr">{template.name}</bdi>} onClose={onClose}>
      <PanelPart>
        <Trouble template={template} />
        <TemplatePreview template={template} />
      </PanelPart>
      <PanelPart>
        <DescriptionList
          items={[
            [t('templates.status'), <TemplateStatus key="status" status={template.status} />],
            [t('templates.language'), languageName(t, template.language)],
            [t('templates.category'), category ? t(`templates.category.${category}`) : template.category],
            [t('templates.quality'), template.quality && wordOf(t, 'quality', template.quality)],
            [t('templates.nextCategory'), template.nextCategory && wordOf(t, 'category', template.nextCategory)],
            [t('templates.variables'), t('templates.variables.count', { count: template.variables.length })],
            [
              t('templates.syncedAt'),
              template.syncedAt ? formatDateTime(new Date(template.syncedAt), lang) : t('templates.gone'),
            ],
          ]}
        />
        {template.nextCategory && <p className="mt-3 text-ink-2">{t('templates.nextCategory.hint')}</p>}
        {template.unfillable && (
          <p className="mt-3 text-ink-2">
            {t('templates.notSelectable')} {t(`templates.unfillable.${template.unfillable}`)}
          </p>
        )}
      </PanelPart>
      <Acts template={template} onDeleted={onClose} />
      {template.changes.length > 0 && <Changes template={template} />}
    </SidePanel>
  )
}

/** Why the template cannot be sent, or soon might not be, in words, and what to do about it. */
function Trouble({ template: { status, quality, rejectedReason, fixed } }: { template: Template }) {
  const t = useT()
  const next = nextSteps.find((one) => one === status)
  const bad = badQualities.find((one) => one === quality)
  const known = rejectionReasons.find((one) => one === rejectedReason)
  const isRejected = status === 'REJECTED'
  if (!next && !bad) return null
  // What the shop sends itself is not edited here.
  const isOwn = fixed.edit === 'needed' && (isRejected || status === 'PAUSED' || status === 'DISABLED')
  const isWaiting = status === 'PENDING' || status === 'IN_APPEAL'
  return (
    <Notice
      role="status"
      tone={isWaiting ? 'quiet' : 'problem'}
      icon={isWaiting ? ClockIcon : WarningIcon}
      className="mb-3"
    >
      {next && rejectedReason && (
        <b className="block font-strong">
          {isRejected && t('templates.rejectedFor')} <RejectedReason reason={rejectedReason} />
        </b>
      )}
      {isRejected && known && t(`templates.do.${known}`)}{' '}
      {next && t(isOwn ? 'templates.next.needed' : `templates.next.${next}`)}
      {!next && bad && t(`templates.quality.${bad}.do`)}
    </Notice>
  )
}

/** The word for a value that WhatsApp reports; unknown ones as they are. */
function wordOf(t: Translate, field: 'status' | 'quality' | 'category', value: string): string {
  const status = templateStatuses.find((one) => one === value)
  const quality = qualities.find((one) => one === value)
  const category = categories.find((one) => one === value)
  if (field === 'status' && status) return t(`templates.status.${status}`)
  if (field === 'quality' && quality) return t(`templates.quality.${quality}`)
  return field === 'category' && category ? t(`templates.category.${category}`) : value
}

function Changes({ template: { changes } }: { template: Template }) {
  const { t, lang } = useLanguage()
  return (
    <PanelPart>
      <h3 className="mb-2 font-strong">{t('templates.changes')}</h3>
      <ol className="grid gap-2">
        {changes.slice(0, SHOWN_CHANGES).map(({ field, to, reason, at }) => (
          <li key={`${field} ${at} ${to}`}>
            {t(`templates.change.${field}`)}
            {field !== 'content' && (
              <>
                : <bdi>{to === null ? '—' : wordOf(t, field === 'next-category' ? 'category' : field, to)}</bdi>
              </>
            )}
            {reason && (
              <span className="text-ink-2">
                {' '}
                (<RejectedReason reason={reason} />)
              </span>
            )}
            <span className="block text-caption text-ink-3">{formatDateTime(new Date(at), lang)}</span>
          </li>
        ))}
      </ol>
    </PanelPart>
  )
}

/** Edits or deletes a template, or says why Meta would refuse it. */
function Acts({ template: { id, name, fixed }, onDeleted }: { template: Template; onDeleted(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const { busy, problem, run } = useAction((error) => templateRefusal(t, error) ?? t('admin.form.error.other'))
  const remove = () =>
    run(async () => {
      await call(deleteTemplate, { params: { id: String(id) } })
      setAsked(false)
      toast({ title: t('templates.deleted') })
      await queries.invalidateQueries({ queryKey: [listTemplates.path] })
      onDeleted()
    })
  const why = (reason: Template['fixed']['edit']) => reason && t(`templates.fixed.${reason}`)
  return (
    <PanelPart>
      <div className="grid grid-cols-2 items-start gap-2.5">
        <Button
          size="small"
          reason={why(fixed.edit)}
          onClick={() => void navigate({ to: '/admin/whatsapp/templates/$id/edit', params: { id: String(id) } })}
        >
          {t('templates.edit.act')}
        </Button>
        <Button size="small" tone="danger" reason={why(fixed.delete)} onClick={() => setAsked(true)}>
          {t('templates.delete')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsked}
        title={t('templates.delete.title')}
        confirm={t('templates.delete')}
        tone="danger"
        busy={busy}
        error={problem}
        onConfirm={() => void remove()}
        onCancel={() => setAsked(false)}
      >
        <bdi dir="ltr">{name}</bdi> · {t('templates.delete.text')}
      </ConfirmDialog>
    </PanelPart>
  )
}
