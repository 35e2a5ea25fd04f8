import type { ReactNode } from 'react'
import { SimulatorTabs } from './SimulatorTabs.tsx'

interface SimulatorFrameProps {
  chosen: '/simulator' | '/simulator/telegram'
  title: string
  intro: string
  phone: string | null
  chooser: ReactNode
  children: ReactNode
}

/** Layout of the simulator: tabs and phone selection beside the phone. */
export function SimulatorFrame({ chosen, title, intro, phone, chooser, children }: SimulatorFrameProps) {
  return (
    <main
      id="main"
      className="wrap grid grid-cols-[minmax(0,1fr)] content-start gap-6 py-6 md:grid-cols-[minmax(0,1fr)_360px] md:gap-6 lg:grid-cols-[minmax(0,1fr)_400px] lg:gap-10"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
        <div>
          <h1 className="text-title">{title}</h1>
          <p className="max-w-140 text-ink-2">{intro}</p>
        </div>
        <SimulatorTabs chosen={chosen} phone={phone} />
        {chooser}
      </div>
      {children}
    </main>
  )
}
