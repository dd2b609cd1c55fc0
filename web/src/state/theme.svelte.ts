// Light or dark: as the system says, or as the person chose.

type Theme = "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");

function kept(): Theme | null {
  try {
    const value = localStorage.getItem("theme");
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

class Look {
  private chosen = $state<Theme | null>(kept());
  private system = $state<Theme>(dark.matches ? "dark" : "light");
  readonly theme = $derived(this.chosen ?? this.system);

  constructor() {
    dark.addEventListener("change", () => {
      this.system = dark.matches ? "dark" : "light";
      this.wear();
    });
  }

  toggle(): void {
    const next = this.theme === "dark" ? "light" : "dark";
    this.chosen = next === this.system ? null : next;
    try {
      if (this.chosen) localStorage.setItem("theme", this.chosen);
      else localStorage.removeItem("theme");
    } catch {
      // Where nothing may be kept the choice lasts as long as the page.
    }
    this.wear();
  }

  private wear(): void {
    document.documentElement.dataset["theme"] = this.theme;
  }
}

export const look = new Look();
