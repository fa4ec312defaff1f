import { ItemView, type WorkspaceLeaf } from 'obsidian'
import type { NotewrightPlugin } from './plugin.js'

export const activityPaneType = 'notewright-activity'
export const checkPaneType = 'notewright-check'
export const searchPaneType = 'notewright-search'
export const relatedPaneType = 'notewright-related'

/** A pane that shows one of the shared panels, which is loaded when first shown. */
abstract class PanelPane extends ItemView {
  constructor(
    leaf: WorkspaceLeaf,
    protected readonly plugin: NotewrightPlugin,
  ) {
    super(leaf)
  }
  protected abstract mount(): Promise<void>

  override async onOpen(): Promise<void> {
    this.contentEl.addClass('nw', 'notewright-pane')
    await this.mount()
  }
  override async onClose(): Promise<void> {
    const { drawPanel } = await import('./draw-panel.js')
    drawPanel(this.contentEl, this.app, null)
  }
}

/** Shows calls, changes and requests. */
export class ActivityItemView extends PanelPane {
  override getViewType(): string {
    return activityPaneType
  }
  override getDisplayText(): string {
    return 'Notewright activity'
  }
  override getIcon(): string {
    return 'history'
  }
  protected override async mount(): Promise<void> {
    const { mountActivity } = await import('./panes/mounted-panes.js')
    mountActivity(this.contentEl, this.plugin)
  }
}

/** Search as it is typed. */
export class SearchItemView extends PanelPane {
  override getViewType(): string {
    return searchPaneType
  }
  override getDisplayText(): string {
    return 'Notewright search'
  }
  override getIcon(): string {
    return 'search'
  }
  protected override async mount(): Promise<void> {
    const { mountSearch } = await import('./panes/mounted-panes.js')
    mountSearch(this.contentEl, this.plugin)
  }
}

/** Shows notes related to the open note. */
export class RelatedItemView extends PanelPane {
  override getViewType(): string {
    return relatedPaneType
  }
  override getDisplayText(): string {
    return 'Notewright related notes'
  }
  override getIcon(): string {
    return 'waypoints'
  }
  protected override async mount(): Promise<void> {
    const { mountRelated } = await import('./panes/mounted-panes.js')
    mountRelated(this.contentEl, this.plugin)
  }
}

/** Shows problems of the vault, with their fixes. */
export class CheckItemView extends PanelPane {
  override getViewType(): string {
    return checkPaneType
  }
  override getDisplayText(): string {
    return 'Notewright check'
  }
  override getIcon(): string {
    return 'shield-check'
  }
  protected override async mount(): Promise<void> {
    const { mountCheck } = await import('./panes/mounted-panes.js')
    mountCheck(this.contentEl, this.plugin)
  }
}
