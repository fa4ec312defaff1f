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

/** Where the app runs; a test may say something else before a plugin is loaded. */
export const Platform = { isDesktop: true, isDesktopApp: true, isMobile: false, isMobileApp: false, isPhone: false }

function setIcon(parent: HTMLElement, name: string): void {
  parent.dataset.icon = name
}

/** What `require('obsidian')` answers. */
export const obsidian = {
  ButtonComponent,
  Component,
  Editor,
  Events,
  ItemView,
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
