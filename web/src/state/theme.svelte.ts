// Light and dark theme: the user's choice, or else the system's preference.

type Theme = "light" | "dark";

const darkPreference = matchMedia("(prefers-color-scheme: dark)");

function storedTheme(): Theme | null {
  try {
    const value = localStorage.getItem("theme");
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

class ThemeStore {
  private chosen = $state<Theme | null>(storedTheme());
  private system = $state<Theme>(darkPreference.matches ? "dark" : "light");
  readonly current = $derived(this.chosen ?? this.system);

  constructor() {
    darkPreference.addEventListener("change", () => {
      this.system = darkPreference.matches ? "dark" : "light";
      this.apply();
    });
  }

  toggle(): void {
    const next = this.current === "dark" ? "light" : "dark";
    this.chosen = next === this.system ? null : next;
    try {
      if (this.chosen) localStorage.setItem("theme", this.chosen);
      else localStorage.removeItem("theme");
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.current;
  }
}

export const theme = new ThemeStore();
