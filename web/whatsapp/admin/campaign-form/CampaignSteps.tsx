import { useEffect, useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon } from '../../../ui/icons.tsx'

export const steps = ['template', 'people', 'values', 'when', 'check'] as const
export type Step = (typeof steps)[number]

interface CampaignStepsProps {
  step: Step
  /** Index of the first incomplete step; later steps are disabled. */
  open: number
  onChoose(step: Step): void
}

export function CampaignSteps({ step, open, onChoose }: CampaignStepsProps) {
  const t = useT()
  const at = steps.indexOf(step)
  const list = useRef<HTMLOListElement>(null)
  // On a phone the later steps are outside the visible part of the list.
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [at])
  return (
    <ol ref={list} aria-label={t('campaigns.steps')} className="rail -mx-2 gap-1">
      {steps.map((one, place) => {
        const isHere = one === step
        const isDone = place < at
        return (
          <li key={one} aria-current={isHere ? 'step' : undefined} className="flex-none">
            <button
              type="button"
              aria-disabled={place > open || undefined}
              className={classes(
                'flex h-tap items-center gap-2 rounded-s px-2',
                isHere ? 'font-strong text-ink' : place > open ? 'text-ink-3' : 'text-ink-2 hover:text-ink',
              )}
              onClick={place > open ? undefined : () => onChoose(one)}
            >
              <span
                aria-hidden="true"
                className={classes(
                  'grid size-6 place-items-center rounded-full text-caption font-strong',
                  isHere ? 'bg-gulf text-on-gulf' : isDone ? 'bg-gulf-soft text-gulf' : 'bg-well text-ink-2',
                )}
              >
                {isDone ? <CheckIcon size={14} /> : place + 1}
              </span>
              {t(`campaigns.step.${one}`)}
            </button>
          </li>
        )
      })}
    </ol>
  )
}
