import { Editor } from './editor.js'
import { Component, Events } from './events.js'
import { Modal, Notice } from './modal.js'
import { Plugin } from './plugin.js'
import { requestUrl } from './request-url.js'
import {
  ButtonComponent,
  PluginSettingTab,
  SecretComponent,
  Setting,
  SettingTab,
  TextAreaComponent,
  TextComponent,
} from './settings.js'
import { normalizePath, TAbstractFile, TFile, TFolder } from './vault.js'
import { ItemView, MarkdownView, View, WorkspaceLeaf } from './workspace.js'

/** The platform of the app; a test may change it before a plugin is loaded. */
export const Platform = { isDesktop: true, isDesktopApp: true, isMobile: false, isMobileApp: false, isPhone: false }

function setIcon(parent: HTMLElement, name: string): void {
  parent.dataset.icon = name
}

/** The app's copy of Mermaid: of a diagram it draws its first line alone, as HTML. */
const loadMermaid = async () => ({
  async render(id: string, text: string) {
    const [first = ''] = text.split('\n')
    if (!/^(?:flowchart|graph)\b/.test(first)) throw new Error('Parse error on line 1')
    return {
      svg: `<svg id="${id}" viewBox="0 0 120 40" xmlns="http://www.w3.org/2000/svg"><text y="20">${first}&nbsp;</text></svg>`,
    }
  },
})

/** The module that `require('obsidian')` returns. */
export const obsidian = {
  ButtonComponent,
  Component,
  Editor,
  Events,
  ItemView,
  loadMermaid,
  MarkdownView,
  Modal,
  normalizePath,
  Notice,
  Platform,
  Plugin,
  PluginSettingTab,
  requestUrl,
  SecretComponent,
  setIcon,
  Setting,
  SettingTab,
  TAbstractFile,
  TextAreaComponent,
  TextComponent,
  TFile,
  TFolder,
  View,
  WorkspaceLeaf,
}
